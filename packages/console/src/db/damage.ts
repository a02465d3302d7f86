// Remembers damage of the database: an error about it comes only with the page that is damaged.
import type { Engine } from './engine.ts'

export function rememberDamage(diagnose: Engine['diagnose']): Pick<Engine, 'diagnose' | 'isDamaged'> {
  let isDamaged = false
  return {
    diagnose(error) {
      const kind = diagnose(error)
      isDamaged ||= kind === 'damaged'
      return kind
    },
    isDamaged: () => isDamaged,
  }
}
