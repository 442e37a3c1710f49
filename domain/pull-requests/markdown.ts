import MarkdownIt, { type Token } from 'markdown-it'

/** What a reader of a Markdown text sees. */
export interface RenderedText {
  /** Text without HTML, a line or more for each block. A mark stands for each code span. */
  prose: string
  /** The prose, with the text of each code span that `isText` accepts in place of the mark. */
  proseWith: (isText: (code: string) => boolean) => string
  /** Targets of the links. */
  links: string[]
}

/** Longest text that a code host stores for a pull request, in characters; text after it is not read. */
const MAX_LENGTH = 65_536

const parser = new MarkdownIt({ html: true, linkify: true })
/** Of a title a host renders code spans only. */
const titleParser = new MarkdownIt('zero').enable('backticks')

/** Stands for code, so that the words around it are not joined. */
const CODE_MARK = '\ufffc'

/** Text of one inline token; empty for one without text, such as an HTML comment or an image. */
const textOf = ({ type, content }: Token): string => {
  if (type === 'text' || type === 'text_special') return content
  if (type === 'code_inline') return CODE_MARK
  const breaks = type === 'softbreak' || type === 'hardbreak' || (type === 'html_inline' && /^<br\b/i.test(content))
  return breaks ? '\n' : ''
}

/** Inline tokens outside of code that is written as HTML. */
const outsideCode = (tokens: readonly Token[]): Token[] => {
  let depth = 0
  return tokens.filter(({ type, content }) => {
    const [, closes] = (type === 'html_inline' && /^<(\/?)(?:code|pre)\b/i.exec(content)) || []
    if (closes === undefined) return depth === 0
    depth = Math.max(0, depth + (closes === '' ? 1 : -1))
    return false
  })
}

const linkOf = (token: Token): string[] => {
  const target = token.type === 'link_open' ? token.attrGet('href') : null
  return target === null ? [] : [target]
}

/** Text of a title; a mark stands for each code span. */
export const renderTitle = (title: string): string =>
  titleParser
    .parseInline(title.slice(0, MAX_LENGTH), {})
    .flatMap(({ children }) => children ?? [])
    .map(textOf)
    .join('')

/** The last text that was read: several rules read one text in turn. */
let last: { markdown: string; text: RenderedText } | null = null

/**
 * Reads Markdown as a code host renders it. Comments, tags, code and the alternative texts of images are no text.
 * Source: lifecycle, "Disclosure, claimant binding, maintainer policy".
 */
export const renderMarkdown = (markdown: string): RenderedText => {
  if (last?.markdown !== markdown) last = { markdown, text: render(markdown) }
  return last.text
}

const render = (markdown: string): RenderedText => {
  const blocks = parser
    .parse(markdown.slice(0, MAX_LENGTH), {})
    .flatMap(({ type, children }) => (type === 'inline' ? [outsideCode(children ?? [])] : []))
  const proseWith: RenderedText['proseWith'] = (isText) => {
    const read = (token: Token): string => (token.type === 'code_inline' && isText(token.content) ? token.content : textOf(token))
    return blocks.map((tokens) => tokens.map(read).join('')).join('\n\n')
  }
  return { prose: proseWith(() => false), proseWith, links: blocks.flat().flatMap(linkOf) }
}
