import MarkdownIt, { type Token } from 'markdown-it'

/** What a reader of a Markdown text sees. */
export interface RenderedText {
  /** Text without code and HTML, a line or more for each block. */
  prose: string
  /** The prose with its inline code. */
  visible: string
  /** Targets of the links. */
  links: string[]
}

/** Longest text that a code host stores for a pull request, in characters; text after it is not read. */
const MAX_LENGTH = 65_536

const parser = new MarkdownIt({ html: true, linkify: true })
/** Of a title a host renders code spans only. */
const titleParser = new MarkdownIt('zero').enable('backticks')

/** Text of one inline token; null for one without text, such as an HTML comment or an image. */
const textOf = ({ type, content }: Token): string | null => {
  if (type === 'text' || type === 'text_special') return content
  const breaks = type === 'softbreak' || type === 'hardbreak' || (type === 'html_inline' && /^<br\b/i.test(content))
  return breaks ? '\n' : null
}

const linkOf = (token: Token): string[] => {
  const target = token.type === 'link_open' ? token.attrGet('href') : null
  return target === null ? [] : [target]
}

/** Text of a title without code spans. */
export const renderTitle = (title: string): string =>
  titleParser
    .parseInline(title.slice(0, MAX_LENGTH), {})
    .flatMap(({ children }) => children ?? [])
    .map((token) => textOf(token) ?? '')
    .join('')

/** The last text that was read: several rules read one text in turn. */
let last: { markdown: string; text: RenderedText } | null = null

/**
 * Reads Markdown as a code host renders it. Comments, tags, code blocks and the alternative texts of images are no text.
 * Source: lifecycle, "Disclosure, claimant binding, maintainer policy".
 */
export const renderMarkdown = (markdown: string): RenderedText => {
  if (last?.markdown !== markdown) last = { markdown, text: render(markdown) }
  return last.text
}

const render = (markdown: string): RenderedText => {
  const blocks = parser
    .parse(markdown.slice(0, MAX_LENGTH), {})
    .flatMap(({ type, children }) => (type === 'inline' ? [children ?? []] : []))
  const read = (withCode: boolean): string =>
    blocks
      .map((tokens) => tokens.map((token) => textOf(token) ?? (withCode && token.type === 'code_inline' ? token.content : '')).join(''))
      .join('\n\n')
  return { prose: read(false), visible: read(true), links: blocks.flat().flatMap(linkOf) }
}
