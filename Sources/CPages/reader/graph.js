// A reading over time, as a line from its beginning to its latest entry, with the milestones across.
import {h} from '../shared/dom.js';
import {daysFrom, percent, shortDate, time} from '../shared/format.js';
import {reading as t} from '../text/reading.js';

const [HEIGHT, LEFT, BOTTOM, TOP] = [240, 44, 24, 10];

/** @param {any[]} entries Sorted by time. @param {string | undefined} startedAt @param {any[]} aims */
export function graph(entries, startedAt, aims) {
  // Keeps the normal text size on a narrow screen.
  const WIDTH = Math.max(300, Math.min(600, innerWidth - 32));
  const points = entries.map(entry => ({at: Date.parse(entry.happenedAt), share: entry.progress, entry}));
  if (startedAt && (!points.length || Date.parse(startedAt) < points[0].at)) points.unshift({at: Date.parse(startedAt), share: 0,
    entry: null});
  if (points.length < 2) return h('p', {class: 'soft'}, t.graphEmpty);
  const [first, last] = [points[0].at, points[points.length - 1].at];
  const x = (/** @type {number} */ at) => round(LEFT + ((at - first) / Math.max(1, last - first)) * (WIDTH - LEFT - 12));
  const y = (/** @type {number} */ share) => round(TOP + (1 - share) * (HEIGHT - TOP - BOTTOM));
  const line = points.map((point, i) => `${i ? 'L' : 'M'}${x(point.at)} ${y(point.share)}`).join('');
  const said = daysFrom(first) === daysFrom(last) ? time : shortDate;
  const end = points[points.length - 1];
  // Names that would lie over each other are left out: the list below the graph has all of them.
  /** @type {number[]} */
  const named = [];
  const nameOf = (/** @type {any} */ aim) => {
    const isFree = named.every(other => Math.abs(other - y(aim.progress)) >= 14);
    if (isFree) named.push(y(aim.progress));
    return isFree ? aim.name : null;
  };
  return h('svg', {
    class: 'graph', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img',
    'aria-label': t.graphLabel(said(first), said(last), percent(end.share), entries.length),
  },
    [0, 0.5, 1].map(share => h('g', {key: share},
      h('line', {class: 'graph-grid', x1: LEFT, x2: WIDTH, y1: y(share), y2: y(share)}),
      h('text', {class: 'graph-text', x: LEFT - 8, y: y(share), 'text-anchor': 'end', 'dominant-baseline': 'central'},
        share ? percent(share) : '0'))),
    aims.filter(aim => aim.progress < 0.97).map(aim => h('g', {key: aim.id},
      h('line', {class: 'graph-aim', x1: LEFT, x2: WIDTH, y1: y(aim.progress), y2: y(aim.progress)}),
      h('text', {class: 'graph-text', x: LEFT + 6, y: y(aim.progress) - 5}, nameOf(aim)))),
    h('path', {class: 'graph-area', d: `${line}L${x(last)} ${y(0)}L${x(first)} ${y(0)}Z`}),
    h('path', {class: 'graph-line', d: line}),
    points.filter(point => point.entry?.note || point === end).map(point =>
      h('circle', {key: point.entry?.id ?? 'start', class: point.entry?.note ? 'graph-note' : 'graph-dot', cx: x(point.at),
        cy: y(point.share), r: 4.5})),
    h('text', {class: 'graph-text', x: LEFT, y: HEIGHT - 4}, said(first)),
    h('text', {class: 'graph-text', x: WIDTH, y: HEIGHT - 4, 'text-anchor': 'end'}, said(last)));
}

/** @param {number} value */
const round = value => Math.round(value * 10) / 10;
