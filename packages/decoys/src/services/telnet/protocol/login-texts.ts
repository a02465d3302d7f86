// The texts of a login, and the pair of name and password that it gets.

export interface LoginTexts {
  readonly userPrompt: string
  readonly passwordPrompt: string
  readonly refusal: string
}

export interface TelnetTexts extends LoginTexts {
  /** Above the first prompt; `%h` is the host's name, `%t` the terminal's. Nothing when empty. */
  readonly banner: string
}

export interface Guess {
  readonly user: string
  readonly password: string
}

/** Of the texts of a session, each with the host's name in it. */
export const localize = (texts: TelnetTexts, fillIn: (text: string) => string): TelnetTexts => ({
  banner: fillIn(texts.banner),
  userPrompt: fillIn(texts.userPrompt),
  passwordPrompt: fillIn(texts.passwordPrompt),
  refusal: fillIn(texts.refusal),
})
