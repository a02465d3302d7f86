// What is read of an element.
import type { XmlElement } from './parse.ts'

/** The elements directly inside it with this name. */
export const childrenOf = (parent: XmlElement, namespace: string, localName: string): XmlElement[] =>
  parent.children.filter(
    (it): it is XmlElement =>
      typeof it !== 'string' && it.namespace === namespace && it.localName === localName,
  )

/** The one directly inside it with this name; undefined if there is none, or more than one. */
export function onlyChild(
  parent: XmlElement | undefined,
  namespace: string,
  localName: string,
): XmlElement | undefined {
  const [child, ...others] = parent ? childrenOf(parent, namespace, localName) : []
  return others.length > 0 ? undefined : child
}

/** The text directly inside it. */
export const textOf = (element: XmlElement | undefined): string =>
  (element?.children ?? []).filter((it) => typeof it === 'string').join('')

/** An attribute without a prefix. */
export const attributeOf = (element: XmlElement | undefined, name: string): string | undefined =>
  element?.attributes.find((it) => it.namespace === '' && it.localName === name)?.value

/** The element and all inside it. */
export function* everyElement(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of element.children) if (typeof child !== 'string') yield* everyElement(child)
}
