// What somebody can act on in a page now, as a test finds it: by role, name and the part that it stands in.
import type { ElementHandle, Page } from 'playwright-core'

export interface Control {
  /** The same for the same control of a page opened again; numbers and ids in it are all one. */
  readonly key: string
  readonly tag: string
  readonly type: string
  readonly isDisabled: boolean
  /** What says why it is disabled. */
  readonly why: string
  /** It closes the dialog that it stands in, with nothing done. */
  readonly isWayOut: boolean
}

/** What stands in the topmost dialog or menu, else in the page; with `withShell` in the frame around it, too. */
export const controlsOf = (page: Page, withShell: boolean): Promise<Control[]> =>
  page.evaluate(list, withShell)

/** The control of the last list at this place. */
export const elementAt = async (page: Page, at: number): Promise<ElementHandle<HTMLElement>> =>
  (await page.evaluateHandle(
    (n) => (window as unknown as { controls: HTMLElement[] }).controls[n],
    at,
  )) as ElementHandle<HTMLElement>

/** Runs in the browser. */
function list(withShell: boolean): Control[] {
  const ROLES = ['button', 'switch', 'checkbox', 'radio', 'tab', 'option', 'combobox']
  const CONTROLS = [
    'button, a[href], input, select, textarea, summary, [role^="menuitem"]',
    ...ROLES.map((role) => `[role="${role}"]`),
  ].join(', ')
  const isSeen = (it: Element) =>
    it.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    it.getClientRects().length > 0 &&
    !it.closest('[inert], [aria-hidden="true"]')
  const textOf = (ids: string | null) =>
    (ids ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ')
      .trim()
  const nameOf = (it: HTMLElement): string =>
    it.getAttribute('aria-label') ??
    (textOf(it.getAttribute('aria-labelledby')) ||
      [...((it as HTMLInputElement).labels ?? [])].map(({ textContent }) => textContent).join(' ') ||
      (it.innerText ?? '').trim() ||
      it.title)
  const placeOf = (it: HTMLElement): string => {
    const place = it.parentElement?.closest<HTMLElement>(
      '[role="dialog"], [role="menu"], [role="row"], tr, figure, fieldset, section, article, li, form',
    )
    return place
      ? place.getAttribute('aria-label') ||
          textOf(place.getAttribute('aria-labelledby')) ||
          (place.querySelector<HTMLElement>('th, [role="rowheader"], legend, h1, h2, h3, strong')
            ?.innerText ??
            '')
      : ''
  }
  const plain = (text: string) =>
    text
      .replace(/[0-9a-z]*\d[0-9a-z.:-]*/gi, '#')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 80)
  const FILTERS = ['state', 'level', 'enabled', 'touched', 'list', 'days']
  const addressOf = (it: HTMLAnchorElement) => {
    const url = new URL(it.href)
    const path = url.pathname.replace(
      /(birds|tokens|tokens\/new|incidents|flocks|sources)\/[^/]{12,}/,
      '$1/#',
    )
    const search = [...url.searchParams].map(([name, value]) =>
      FILTERS.includes(name) ? `${name}=${value}` : name,
    )
    return `${url.origin === location.origin ? '' : url.origin}${path.replace(/tokens\/new\/.+/, 'tokens/new/#')}?${search.join('&')}${url.hash}`
  }
  const overlays = [
    ...document.querySelectorAll('[role="dialog"], [role="alertdialog"], [role="menu"]'),
  ].filter(isSeen)
  const overlay = overlays.at(-1)
  const main = document.querySelector('main')
  const roots = overlay ? [overlay] : withShell || !main ? [document.body] : [main]
  const found = roots
    .flatMap((root) => [...root.querySelectorAll<HTMLElement>(CONTROLS)])
    .filter((it) => isSeen(it) && (!overlay || it !== overlay))
  ;(window as unknown as { controls: HTMLElement[] }).controls = found
  return found.map((it) => {
    const name = nameOf(it)
    const tag = it.tagName.toLowerCase()
    const type = tag === 'input' ? (it as HTMLInputElement).type : (it.getAttribute('role') ?? '')
    const isLink = tag === 'a' && type === ''
    return {
      key: isLink
        ? `link ${addressOf(it as HTMLAnchorElement)}`
        : `${tag}${type ? `[${type}]` : ''} "${plain(name)}" in "${plain(placeOf(it))}"`,
      tag,
      type,
      isDisabled: it.matches(':disabled, [aria-disabled="true"], [readonly]'),
      why:
        textOf(it.getAttribute('aria-describedby')) ||
        it.title ||
        (it.matches('[readonly]') ? 'it is there to be read' : '') ||
        textOf(it.parentElement?.closest('[aria-describedby]')?.getAttribute('aria-describedby') ?? null),
      isWayOut: overlay !== undefined && /^(cancel|close|done|keep|stay)/i.test(name),
    }
  })
}
