// The time zone that a person has chosen as their own; empty for that of the browser.
const KEY = 'rookery.own-zone'
let zone: string | undefined

export function chosenZone(): string {
  if (zone !== undefined) return zone
  try {
    zone = localStorage.getItem(KEY) ?? ''
  } catch {
    zone = ''
  }
  return zone
}

export function chooseZone(chosen: string): void {
  zone = chosen
  try {
    if (chosen === '') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, chosen)
  } catch {
    // Storage is switched off: the zone lasts as long as the page.
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** A format in this zone; one that this browser does not know is its own. */
export function formatIn(options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? open(options, timeZone)
  formats.set(key, format)
  return format
}

function open(options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(undefined, { ...options, ...(timeZone !== '' && { timeZone }) })
  } catch {
    return new Intl.DateTimeFormat(undefined, options)
  }
}
