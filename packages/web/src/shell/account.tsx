// The menu of who is signed in.
import { Menu } from '@base-ui/react/menu'
import { Link } from '@tanstack/react-router'
import { call } from '../api/call.ts'
import { useToast } from '../kit/toast.tsx'
import { links } from '../links.ts'
import { explain } from '../problem.ts'
import { pageHalf } from '../session/page-half.ts'
import { usePreferences } from '../session/preferences.ts'
import type { Theme } from '../theme/theme.ts'
import { words } from '../words/en.ts'
import css from './shell.module.css'

const THEMES: readonly Theme[] = ['system', 'dark', 'light']

interface AccountProps {
  readonly email: string | undefined
  readonly onLeave: () => void
}

export function Account({ email, onLeave }: AccountProps) {
  const { preferences, prefer } = usePreferences()
  const say = useToast()
  const save = (change: Parameters<typeof prefer>[0]) => {
    prefer(change).catch((error: unknown) => say({ text: explain(error).text }))
  }
  const signOut = async () => {
    onLeave()
    await call('sessions', 'end').catch(() => undefined)
    pageHalf.clear()
    // The next one finds nothing of this one in the page.
    location.assign(links.signIn)
  }
  return (
    <Menu.Root>
      <Menu.Trigger className={css['account']} aria-label={words.account.name}>
        <span aria-hidden="true">{email?.slice(0, 1).toUpperCase()}</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={8} align="end">
          <Menu.Popup className={css['menu']}>
            <p className={css['who']}>{email}</p>
            <Menu.Item className={css['item']} render={<Link to={links.profile} />}>
              {words.account.profile}
            </Menu.Item>
            <Menu.Item className={css['item']} render={<Link to={links.security} />}>
              {words.account.security}
            </Menu.Item>
            <Menu.Separator className={css['separator']} />
            <Menu.RadioGroup value={preferences.theme} onValueChange={(theme: Theme) => save({ theme })}>
              {THEMES.map((it) => (
                <Menu.RadioItem key={it} value={it} className={css['item']} closeOnClick={false}>
                  {words.account[it]}
                  <Menu.RadioItemIndicator>✓</Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className={css['separator']} />
            <Menu.CheckboxItem
              className={css['item']}
              checked={preferences.keys}
              onCheckedChange={(keys: boolean) => save({ keys })}
              closeOnClick={false}
            >
              {words.account.keys}
              <Menu.CheckboxItemIndicator>✓</Menu.CheckboxItemIndicator>
            </Menu.CheckboxItem>
            <Menu.Separator className={css['separator']} />
            <Menu.Item className={css['item']} onClick={() => void signOut()}>
              {words.action.signOut}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
