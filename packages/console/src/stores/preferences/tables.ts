export type Theme = 'system' | 'dark' | 'light'

export interface PreferenceTables {
  /** How a person wants the page. */
  preference: {
    user_id: string
    theme: Theme
    /** Empty for that of the browser. */
    zone: string
    /** Whether single letters act on the page; 0 or 1. */
    single_keys: number
  }
}
