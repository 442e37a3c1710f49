import MarkdownIt, { type Token } from 'markdown-it'

/** One block of a text as its reader sees it: a heading, a paragraph, an item of a list, a row of a table, or code. */
export interface TextBlock {
  /** Rank of a heading from 1; 0 for other blocks. A paragraph in bold is a heading of the last rank. */
  rank: number
  /** Whether it stands in a list or is a row of a table below the first, which the words before it may introduce. */
  isItem: boolean
  text: string
}

const LAST_RANK = 7
const parser = new MarkdownIt({ html: true })

const HTML_TAG = /(<!--[\s\S]*?(?:-->|$)|<(?:script|style)\b[\s\S]*?(?:<\/(?:script|style)>|$)|<\/?[a-z][^<>]*>)/i
const BREAKING_TAG =
  /^<\/?(?:p|div|li|ul|ol|dl|dt|dd|br|hr|tr|table|thead|tbody|details|blockquote|pre|center|section|article|header|footer|main|aside)\b/i
const HEADING_TAG = /^<(\/?)(?:h([1-6])|summary)\b/i
const ALTERNATIVE_TEXT = /\balt\s*=\s*(?:"([^"]*)"|'([^']*)')/i
const MARKS = /[*`~]+|(?<!\w)_+|_+(?!\w)/g

/** Blocks of HTML. What is no tag and no comment is text. */
const htmlBlocks = (html: string): TextBlock[] => {
  const blocks: TextBlock[] = []
  let text = ''
  let rank = 0
  let isItem = false
  const flush = (): void => {
    if (text.trim() !== '') blocks.push({ rank, isItem, text: parser.utils.unescapeAll(text.replace(MARKS, '')) })
    text = ''
  }
  for (const part of html.split(HTML_TAG)) {
    if (!/^<[a-z/!]/i.test(part)) {
      text += part
      continue
    }
    const [isHeading, closes, level] = HEADING_TAG.exec(part) ?? []
    if (isHeading !== undefined || BREAKING_TAG.test(part)) flush()
    if (isHeading !== undefined) rank = closes === '' ? Number(level ?? LAST_RANK) : 0
    if (/^<\/?li\b/i.test(part)) isItem = !part.startsWith('</')
    if (/^<t[dh]\b/i.test(part) && text.trim() !== '') text += ': '
    const [, double, single] = ALTERNATIVE_TEXT.exec(part) ?? []
    if (/^<img\b/i.test(part)) text += double ?? single ?? ''
  }
  flush()
  return blocks
}

/** Text of one inline token, code and the alternative texts of images included. */
const textOf = ({ type, content }: Token): string => {
  if (type === 'text' || type === 'text_special' || type === 'code_inline' || type === 'image') return content
  if (type === 'html_inline') return htmlBlocks(content)[0]?.text ?? (/^<br\b/i.test(content) ? '\n' : '')
  return type === 'softbreak' || type === 'hardbreak' ? '\n' : ''
}

const isBold = (tokens: readonly Token[]): boolean =>
  tokens.filter(({ type }) => type === 'strong_open').length === 1 &&
  tokens.find(({ content, type }) => content !== '' || type !== 'text')?.type === 'strong_open' &&
  tokens.findLast(({ content, type }) => content !== '' || type !== 'text')?.type === 'strong_close'

/** Headings of reStructuredText and AsciiDoc in the form of Markdown. */
const unifyHeadings = (path: string, text: string): string => {
  if (/\.rst$/i.test(path)) return text.replace(/^(\S.*)\n(["'~^=+*#`:.-])\2{2,}[ \t]*$/gm, '## $1\n')
  return /\.adoc$/i.test(path) ? text.replace(/^={1,6}(?= \S)/gm, (marks) => '#'.repeat(marks.length)) : text
}

/**
 * Blocks of a Markdown text as a reader sees them: with quotations, tables, code and HTML as text, and without comments.
 * `path` names the format of the headings.
 */
export const readBlocks = (path: string, markdown: string): TextBlock[] => {
  const blocks: TextBlock[] = []
  let rank = 0
  let depth = 0
  let cells: string[] | null = null
  let rows = 0
  for (const { type, content, tag, children } of parser.parse(unifyHeadings(path, markdown), {})) {
    if (type === 'heading_open' || type === 'heading_close') rank = type === 'heading_open' ? Number(tag.slice(1)) : 0
    else if (type === 'list_item_open' || type === 'list_item_close') depth += type === 'list_item_open' ? 1 : -1
    else if (type === 'table_open') rows = 0
    else if (type === 'tr_open') cells = []
    else if (type === 'tr_close') {
      // "Copilot: No".
      blocks.push({ rank: 0, isItem: rows > 0, text: (cells ?? []).join(': ') })
      cells = null
      rows += 1
    } else if (type === 'html_block') blocks.push(...htmlBlocks(content))
    else if (type === 'fence' || type === 'code_block')
      blocks.push(...content.split(/\n[ \t]*\n/).map((text) => ({ rank: 0, isItem: depth > 0, text })))
    else if (type === 'inline') {
      const tokens = children ?? []
      const text = tokens.map(textOf).join('')
      if (cells !== null) cells.push(text)
      else {
        const isTitle = rank === 0 && depth === 0 && text.length <= 80 && isBold(tokens)
        blocks.push({ rank: isTitle ? LAST_RANK : rank, isItem: depth > 0, text })
      }
    }
  }
  return blocks
}
