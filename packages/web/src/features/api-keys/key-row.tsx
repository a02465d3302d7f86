import { Age, secondsOf, Time } from '../../kit/age.tsx'
import { ConfirmButton } from '../../kit/confirm-button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import css from './keys.module.css'
import { isExpired, type Key } from './queries.ts'
import { keyWords as said } from './words.ts'

interface KeyRowProps {
  readonly of: Key
  readonly onRevoke: () => void
}

export function KeyRow({ of, onRevoke }: KeyRowProps) {
  return (
    <tr>
      <th scope="row">
        <Evidence text={of.note} />
        <code className={css['second']}>{of.key_id}</code>
      </th>
      <td data-name={said.columns[1]}>
        {of.auth_token_type}
        {of.flock_id && (
          <span className={css['second']}>
            {said.flock} <Evidence text={of.flock_id} />
          </span>
        )}
      </td>
      <td data-name={said.columns[2]} className={css['mono']}>
        {of.allowed_ip_ranges === '' ? said.everywhere : <Evidence text={of.allowed_ip_ranges} canUnfold />}
      </td>
      <td data-name={said.columns[3]}>
        {of.expires === '' ? said.never : <Time atS={secondsOf(of.expires)} />}
        {isExpired(of) && <strong className={css['second']}>{said.expired}</strong>}
      </td>
      <td data-name={said.columns[4]}>
        {of.last_used === '' ? said.notYet : <Age atS={secondsOf(of.last_used)} isSentence />}
      </td>
      <td data-name={said.columns[5]}>
        <Time atS={secondsOf(of.created)} />
        {of.created_by !== '' && (
          <span className={css['second']}>
            {said.by} <Evidence text={of.created_by} />
          </span>
        )}
      </td>
      <td>
        <span className={css['actions']}>
          {!of.auth_token.startsWith('*') && <CopyButton text={of.auth_token} label={said.copyKey} />}
          <ConfirmButton label={said.revoke} question={said.reallyRevoke} onConfirm={onRevoke} />
        </span>
      </td>
    </tr>
  )
}
