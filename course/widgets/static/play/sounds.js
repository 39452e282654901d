// sounds.js: a tone for each merge. Its pitch tells the value of the tile, its side the column.

import { remember, remembered } from "../parts/parts.js";

const LOWEST = 220; // hertz, of a 4
const STEP = 3; // semitones from one value to the next
const LENGTH = 0.25; // seconds
const APART = 0.1; // seconds from one tone to the next
const LOUDNESS = 0.25;
const FAR = 0.9; // how far to the side the outermost columns are; 1 is in one ear only

// Plays one tone after the other, from the left to the right, in any kind of audio context.
function playTones(context, merged, board) {
  const last = board[0].length - 1;
  const squares = merged.toSorted((one, other) => one[1] - other[1]);
  for (const [index, [row, column]] of squares.entries()) {
    const steps = (Math.log2(board[row][column]) - 2) * STEP;
    const frequency = LOWEST * 2 ** (steps / 12);
    const pan = last ? FAR * ((2 * column) / last - 1) : 0; // from -1, on the left, to 1
    const start = context.currentTime + index * APART;
    const source = new OscillatorNode(context, { type: "triangle", frequency });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
    const place = new StereoPannerNode(context, { pan });
    source.connect(volume).connect(place).connect(context.destination);
    source.start(start);
    source.stop(start + LENGTH);
  }
}

export class Sounds {
  context = null;

  get isOn() {
    return remembered("sounds") === "on";
  }

  turn(isOn) {
    remember("sounds", isOn ? "on" : "");
  }

  // A browser allows a context with sound only after somebody has pressed a key or a button.
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
