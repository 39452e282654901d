// Adds what the theme lacks for keyboards and screen readers: names of the two side panels, and a
// way to scroll long lines and wide tables with the arrow keys.
document.addEventListener("DOMContentLoaded", () => {
  document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
  document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
  if (!document.querySelector("h1")) {
    const title = document.createElement("h1"); // the page of the search has none
    title.textContent = "Search";
    document.querySelector("article")?.prepend(title);
  }
  for (const wide of document.querySelectorAll("pre, .table-wrapper")) wide.tabIndex = 0;
});
