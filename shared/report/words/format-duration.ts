const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** From here on seconds, minutes and hours are rounded away: they are more exact than any estimate. */
const WHOLE_SECONDS_FROM = 10;
const WHOLE_MINUTES_FROM = 10 * MINUTE;
const WHOLE_HOURS_FROM = 2 * DAY;

/** The larger of two units and the rest in the smaller, which is left out when it is nothing. */
function inUnits(seconds: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const whole = Math.round(seconds / small);
  const perLarge = large / small;
  const rest = whole % perLarge;
  return `${Math.floor(whole / perLarge)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

type Unit = readonly [seconds: number, name: string];

/**
 * A duration for a person: `0.4 s`, `12 s`, `1 min 5 s`, `12 min`, `2 h 2 min`, `2 days 3 h`. Nothing is below zero, and less
 * than a twentieth of a second is `0 s`.
 */
export function formatDuration(seconds: number): string {
  if (seconds < 0.05) return '0 s';
  if (seconds < WHOLE_SECONDS_FROM - 0.05) return `${seconds.toFixed(1).replace(/\.0$/, '')} s`;
  if (seconds < MINUTE - 0.5) return `${Math.round(seconds)} s`;
  if (seconds < WHOLE_MINUTES_FROM - 0.5) return inUnits(seconds, [MINUTE, 'min'], [1, 's']);
  if (seconds < HOUR - 0.5 * MINUTE) return `${Math.round(seconds / MINUTE)} min`;
  if (seconds < WHOLE_HOURS_FROM - 0.5 * MINUTE) return inUnits(seconds, [HOUR, 'h'], [MINUTE, 'min']);
  const days = Math.floor(Math.round(seconds / HOUR) / 24);
  return inUnits(seconds, [DAY, days === 1 ? 'day' : 'days'], [HOUR, 'h']);
}
