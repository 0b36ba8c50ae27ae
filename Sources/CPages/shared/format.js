// Numbers and times in the reader's language and time zone.
import {common} from '../text/common.js';

const locale = (navigator.languages ?? []).find(name => name.split('-')[0] === common.language) ?? common.language;
let zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** @type {Map<string, any>} */
let formats = new Map();

/** Sets the time zone for times, from the reader's settings.
 * @param {string} name */
export function useZone(name) {
  if (name === zone || !isZone(name)) return;
  zone = name;
  formats = new Map();
}
export const zoneInUse = () => zone;

/** @param {string} name */
export function isZone(name) {
  try {
    return Boolean(new Intl.DateTimeFormat('en', {timeZone: name}));
  } catch {
    return false;
  }
}

/** @template T @param {string} key @param {() => T} make @returns {T} */
function once(key, make) {
  if (!formats.has(key)) formats.set(key, make());
  return formats.get(key);
}
/** @param {number} value @param {number} [places] */
export const number = (value, places = 0) => once(`n${places}`,
  () => new Intl.NumberFormat(locale, {maximumFractionDigits: places})).format(value);
/** Whole percents; never 100 before the end, nor 0 after the beginning.
 * @param {number} share */
export function percent(share) {
  const whole = share >= 1 ? 1 : share <= 0 ? 0 : Math.min(0.99, Math.max(0.01, share));
  return once('%', () => new Intl.NumberFormat(locale, {style: 'percent'})).format(whole);
}

/** Returns a formatter of times, in the zone in use by default.
 * @param {Intl.DateTimeFormatOptions} options @returns {(at: string | number | Date) => string} */
const dates = options => at =>
  once(JSON.stringify(options), () => new Intl.DateTimeFormat(locale, {timeZone: zone, ...options})).format(new Date(at));
export const date = dates({day: 'numeric', month: 'long', year: 'numeric'});
export const shortDate = dates({day: 'numeric', month: 'short'});
export const time = dates({hour: 'numeric', minute: '2-digit'});
export const dateTime = dates({weekday: 'short', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit'});
/** Formats a calendar day, YYYY-MM-DD. */
export const day = dates({timeZone: 'UTC', day: 'numeric', month: 'long'});

/** The calendar day of a time in the zone in use, as YYYY-MM-DD.
 * @param {string | number | Date} at */
export const dayOf = at => once('iso', () => new Intl.DateTimeFormat('en-CA',
  {timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit'})).format(new Date(at));

/** Days from today to the day of a time: -1 is yesterday.
 * @param {string | number} at */
export const daysFrom = at => Math.round((Date.parse(dayOf(at)) - Date.parse(dayOf(Date.now()))) / 86_400_000);

/** Formats near days by name, others by date.
 * @param {string} at */
export function when(at) {
  const days = daysFrom(at);
  if (days === 0) return common.today;
  if (days === -1) return common.yesterday;
  if (days === 1) return common.tomorrow;
  if (Math.abs(days) < 14) return once('rel', () => new Intl.RelativeTimeFormat(locale, {numeric: 'auto'})).format(days, 'day');
  return date(at);
}
/** @param {string[]} items */
export const list = items => once('list', () => new /** @type {any} */ (Intl).ListFormat(locale)).format(items);
