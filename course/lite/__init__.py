"""The course without any installation: a static site, in which Python runs in the browser."""
