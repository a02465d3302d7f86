// PostgreSQL refuses two things that a text of ours may hold: NUL, and half a pair of surrogates.

/** The text with U+FFFD in their place: one strange value must not cost the batch that it came with. */
export function plain(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\ufffd') : whole
}
