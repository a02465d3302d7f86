// PostgreSQL refuses two things that a JavaScript string may contain: NUL, and a lone surrogate.

/** The text with U+FFFD in their place: one such value must not fail the whole batch. */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\ufffd') : whole
}
