// sounds.js: a tone for each merge. Its pitch tells the value of the tile, its side the column.

import { remember, remembered } from "../parts/parts.js";

const LOWEST = 220; // hertz, of a 4
const STEP = 3; // semitones from one value to the next
const LENGTH = 0.25; // seconds
const APART = 0.1; // seconds from one tone to the next
const LOUDNESS = 0.25;
const FAR = 0.9; // how far to the side the outermost columns are; 1 is in one ear only

function pitch(value) {
  return LOWEST * 2 ** (((Math.log2(value) - 2) * STEP) / 12);
}

// Returns the side of a column: from -1, on the left, to 1, on the right.
function sideOf(column, width) {
  return width > 1 ? FAR * ((2 * column) / (width - 1) - 1) : 0;
}

// Plays one tone after the other, from the left to the right, in any kind of audio context.
function playTones(context, merged, board) {
  const squares = merged.toSorted((one, other) => one[1] - other[1]);
  for (const [index, [row, column]] of squares.entries()) {
    const side = sideOf(column, board[0].length);
    tone(context, pitch(board[row][column]), side, context.currentTime + index * APART);
  }
}

function tone(context, frequency, side, start) {
  const source = new OscillatorNode(context, { type: "triangle", frequency });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
  const place = new StereoPannerNode(context, { pan: side });
  source.connect(volume).connect(place).connect(context.destination);
  source.start(start);
  source.stop(start + LENGTH);
}

export class Sounds {
  constructor() {
    this.context = null;
  }

  get isOn() {
    return remembered("sounds") === "on";
  }

  turn(isOn) {
    remember("sounds", isOn ? "on" : "");
  }

  // A browser lets a page sound only after somebody has pressed a key or a button: so the context
  // is made when it is first needed.
  play(merged, board) {
    if (!this.isOn || !merged?.length) return;
    try {
      this.context ??= new AudioContext();
      this.context.resume();
      playTones(this.context, merged, board);
    } catch (error) {
      console.warn(error); // a computer without sound plays on in silence
    }
  }

  stop() {
    this.context?.close();
    this.context = null;
  }
}
