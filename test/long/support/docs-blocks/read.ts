// The blocks of the documentation, as a reader sees them.
const ENTITIES: Readonly<Record<string, string>> = { '&#39;': "'", '&quot;': '"', '&lt;': '<', '&gt;': '>', '&amp;': '&' }
const textOf = (html: string): string => html.replaceAll(/&(?:#39|quot|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity)

export type Kind = 'curl' | 'TypeScript' | 'Command line'

/** A block of an operation. */
export interface Block {
  page: string
  operation: string
  kind: Kind
  text: string
}

/** A page of a subject: what it says to set, what stands before blocks of a kind, and the blocks. */
export interface DocsPage {
  path: string
  /** Variables that the page names. */
  variables: string[]
  /** Blocks that stand alone, by the heading before them. */
  alone: { heading: string; text: string }[]
  blocks: Block[]
}

const OF_OPERATION = /<details name="run-(\w+)"(?: open)?><summary>([^<]*)<\/summary><pre tabindex="0">([^<]*)<\/pre>/g

/** Reads a page. Throws when a block of commands stands where none is known. */
const readPage = (path: string, html: string): DocsPage => {
  const blocks = [...html.matchAll(OF_OPERATION)].map(([, operation = '', kind = '', text = '']) => ({
    page: path,
    operation,
    kind: textOf(kind) as Kind,
    text: textOf(text),
  }))
  const parts = html.replaceAll(OF_OPERATION, '').split(/(?=<h[23] id="[^"]+">)/)
  const alone = parts.flatMap((part) => {
    const heading = /^<h[23] id="([^"]+)">/.exec(part)?.[1] ?? ''
    return [...part.matchAll(/<pre tabindex="0">([^<]*)<\/pre>/g)].map(([, text = '']) => ({ heading, text: textOf(text) }))
  })
  const run = parts.find((part) => part.startsWith('<h2 id="run">')) ?? ''
  const variables = [...run.matchAll(/<code>\$(\w+)<\/code>, /g)].map(([, name = '']) => name)
  if (html.split('<pre tabindex="0">').length - 1 !== blocks.length + alone.length) throw new Error(`${path} has a block that was not read`)
  return { path, variables, alone, blocks }
}

/** All pages of the documentation but the guides, from one link to the next. */
export const readPages = async (base: string): Promise<DocsPage[]> => {
  const pages = new Map<string, DocsPage>()
  const wanted = ['/docs']
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (pages.has(path)) continue
    const response = await fetch(base + path)
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
    const html = await response.text()
    pages.set(path, readPage(path, html))
    for (const [, link = ''] of html.matchAll(/ href="(\/docs[^"#?]*)["#?]/g)) if (!link.startsWith('/docs/guides')) wanted.push(link)
  }
  return [...pages.values()]
}
