// queue.js: what is asked of Python, one thing after the other.

const PATIENCE = 2000; // milliseconds until an answer is late

// What may be asked while an answer is late: it may never come, where the kernel was started anew.
const WAYS_OUT = new Set(["new", "undo"]);

export class Queue {
  // `send(action)` asks Python; `late()` and `lost()` tell that no answer comes, or none can come.
  constructor({ send, late, lost }) {
    this.send = send;
    this.late = late;
    this.lost = lost;
    this.line = []; // what is still to be asked
    this.patience = null; // runs while an answer is awaited
    this.isLate = false;
  }

  // Keys pressed fast wait in line; keys pressed while the code is plainly stuck do not.
  ask(action) {
    if (this.isLate && (this.patience || !WAYS_OUT.has(action.do))) return;
    this.line.push(action);
    if (!this.patience) this.next();
  }

  next() {
    const action = this.line.shift();
    if (!action) return;
    this.patience = setTimeout(() => this.giveUp(), PATIENCE);
    try {
      this.send(action);
    } catch {
      this.stop();
      this.isLate = false;
      this.lost();
    }
  }

  giveUp() {
    this.stop();
    this.isLate = true;
    this.late();
  }

  // An answer came, late or not: the next question goes.
  answered() {
    clearTimeout(this.patience);
    this.patience = null;
    this.isLate = false;
    this.next();
  }

  // Nothing more is asked, and no answer is awaited.
  stop() {
    clearTimeout(this.patience);
    this.patience = null;
    this.forget();
  }

  forget() {
    this.line = [];
  }
}
