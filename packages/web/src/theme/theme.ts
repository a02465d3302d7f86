// The theme of this browser. public/theme.js sets it before the first paint; this changes it.
export type Theme = 'system' | 'dark' | 'light'
const KEY = 'rookery.theme'

export function chosenTheme(): Theme {
  const theme = document.documentElement.dataset['theme']
  return theme === 'dark' || theme === 'light' ? theme : 'system'
}

export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Storage is switched off: the theme lasts as long as the page.
  }
}
