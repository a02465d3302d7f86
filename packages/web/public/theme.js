// Runs before the first paint: the theme that this browser chose, else that of the system.
try {
  const chosen = localStorage.getItem('rookery.theme')
  if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.theme = chosen
} catch {
  // Storage is switched off: the system's theme stays.
}
