// A reader of pages that takes the strict form alone: what it cannot read is a fault of the page.

/** A tag with the names of its attributes, or `text`. */
export interface PageParts {
  /** `<name attribute attribute>` and `</name>`, in their order. */
  tags: string[]
  /** Texts between the tags, as a reader sees them. */
  texts: string[]
  /** Values of attributes, as a browser reads them. */
  values: string[]
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const BARE = /&(?!amp;|lt;|gt;|quot;|#39;)/
const VOID = new Set(['meta', 'link', 'br', 'input', 'hr', 'img'])
/** Elements whose content is no markup. */
const RAW = /<(style|script)([^>]*)>[\s\S]*?<\/\1>/g
const TAG = /<(\/?)([a-z][a-z\d]*)((?: [a-z-]+(?:="[^"<]*")?)*)\s*>/g
const ATTRIBUTE = / ([a-z-]+)(?:="([^"]*)")?/g

const decode = (text: string): string => {
  if (BARE.test(text)) throw new Error(`an ampersand that is no entity: ${text.slice(0, 200)}`)
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}

/** Parts of a page. Throws where it is not well formed. */
export const readPage = (page: string): PageParts => {
  const text = page.replace(/^<!doctype html>/, '').replaceAll(RAW, '<$1$2></$1>')
  const parts: PageParts = { tags: [], texts: [], values: [] }
  const open: string[] = []
  let end = 0
  const readText = (until: number): void => {
    const between = text.slice(end, until)
    if (/[<>]/.test(between)) throw new Error(`a bracket that is no tag: ${between.slice(0, 200)}`)
    parts.texts.push(decode(between))
  }
  for (const match of text.matchAll(TAG)) {
    const [whole, closing, name = '', attributes = ''] = match
    readText(match.index)
    end = match.index + whole.length
    if (closing !== '' && open.pop() !== name) throw new Error(`</${name}> closes another element`)
    if (closing === '' && !VOID.has(name)) open.push(name)
    const named = [...attributes.matchAll(ATTRIBUTE)]
    parts.tags.push(`<${closing}${[name, ...named.map(([, attribute]) => attribute)].join(' ')}>`)
    parts.values.push(...named.map(([, , value]) => decode(value ?? '')))
  }
  readText(text.length)
  if (open.length > 0) throw new Error(`never closed: ${open}`)
  return parts
}
