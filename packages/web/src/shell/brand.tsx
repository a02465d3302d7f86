import { words } from '../words/en.ts'
import css from './outside.module.css'

export function Brand() {
  return (
    <p className={css['brand']}>
      <img src="/icon.svg" alt="" width="24" height="24" /> {words.product}
    </p>
  )
}
