// Sentences in which names from right to left cannot reverse the words around them.
const turns = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/;

/** @param {any} text @returns {any} */
const isolating = text => (typeof text === 'function'
  ? (/** @type {any[]} */ ...parts) => text(...parts.map(part => (turns.test(part) ? `\u2068${part}\u2069` : part)))
  : text?.constructor === Object ? Object.fromEntries(Object.entries(text).map(([name, one]) => [name, isolating(one)])) : text);

/** @type {<T extends Strings>(texts: T) => T} */
export const strings = isolating;
