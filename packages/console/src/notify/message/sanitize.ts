// Text from outside, fit for the eyes: what would act instead of being read becomes a visible mark.

/** C0 and C1 controls but tab and newline, bidirectional controls (UAX #9), invisible separators. */
const ACTING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** The text with every acting character and every lone surrogate as U+FFFD. */
export const sanitize = (text: string): string => text.toWellFormed().replace(ACTING, '\ufffd')
