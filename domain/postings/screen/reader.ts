import MarkdownIt, { type Token } from 'markdown-it'

/** A link or image of a text. */
export interface ListingLink {
  target: string
  /** Text that a reader sees in place of the target. */
  label: string
  isImage: boolean
}

/** The forms in which agents and people read a text. */
export interface Readings {
  /** As a page shows it, code included. */
  prose: string
  /** What a page does not show: comments, titles of links, texts of images, reference definitions. */
  hidden: string[]
  links: ListingLink[]
  /** HTML outside of code. */
  html: string
}

const parser = new MarkdownIt({ html: true, linkify: false })
// Every target is read; the rules of addresses refuse what they do not admit.
parser.validateLink = () => true

/** Parts HTML into comments and the text between tags, in one pass. */
function readHtml(html: string): { text: string; comments: string[] } {
  const comments: string[] = []
  let text = ''
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    text += html.slice(at, open)
    const isComment = html.startsWith('<!--', open)
    const end = html.indexOf(isComment ? '-->' : '>', open + 1)
    if (end < 0) {
      at = open + 1
      text += html.slice(at)
      return { text, comments }
    }
    if (isComment) comments.push(html.slice(open + 4, end))
    else if (/^<\/?(?:br|p|div|li|tr|h\d)\b/i.test(html.slice(open, open + 6))) text += '\n'
    at = end + (isComment ? 3 : 1)
  }
  return { text: text + html.slice(at), comments }
}

/** Attributes whose text a page does not show, or shows late. */
const UNSEEN =
  /\s(?:title|alt|aria-[a-z]{1,20}|content|placeholder|value|summary|data-[a-z0-9-]{1,40})\s{0,4}=\s{0,4}(?:"([^"]*)"|'([^']*)')/gi
const IMAGE_SOURCE = /<img\b[^<>]{0,400}?\ssrc\s{0,4}=\s{0,4}["']?([^\s"'<>]+)/gi

const decode = (text: string): string => parser.utils.unescapeAll(text)

/** Entities and escapes of a text as the characters they stand for. */
export const decodeEntities = decode

/** Reads a text as Markdown. The caller bounds its length. */
export function readMarkdown(markdown: string): Readings {
  const env: { references?: Record<string, { href?: string; title?: string }> } = {}
  const readings: Readings = { prose: '', hidden: [], links: [], html: '' }
  const open: ListingLink[] = []
  const write = (text: string): void => {
    readings.prose += text
    for (const link of open) link.label += text
  }
  const readTag = (content: string): void => {
    readings.html += content
    const { text, comments } = readHtml(content)
    write(decode(text))
    readings.hidden.push(...comments.map(decode))
    for (const [, quoted, single = ''] of content.matchAll(UNSEEN)) readings.hidden.push(decode(quoted ?? single))
    for (const [, target = ''] of content.matchAll(IMAGE_SOURCE)) readings.links.push({ target: decode(target), label: '', isImage: true })
  }
  const readLink = (token: Token, name: 'href' | 'src'): ListingLink => {
    const title = token.attrGet('title')
    if (title !== null) readings.hidden.push(title)
    const link = { target: token.attrGet(name) ?? '', label: '', isImage: name === 'src' }
    // A target in angle brackets is its own label, and an address of mail has no scheme that a poster wrote.
    if (token.markup !== 'autolink' || !link.target.startsWith('mailto:')) readings.links.push(link)
    return link
  }
  const readInline = (token: Token): void => {
    switch (token.type) {
      case 'text':
      case 'text_special':
      case 'code_inline':
        write(token.content)
        return
      case 'softbreak':
      case 'hardbreak':
        write('\n')
        return
      case 'html_inline':
        readTag(token.content)
        return
      case 'link_open':
        open.push(readLink(token, 'href'))
        return
      case 'link_close':
        open.pop()
        return
      case 'image': {
        const link = readLink(token, 'src')
        link.label = token.content
        readings.hidden.push(token.content)
      }
    }
  }
  for (const token of parser.parse(markdown, env)) {
    if (token.type === 'inline') for (const child of token.children ?? []) readInline(child)
    else if (token.type === 'fence' || token.type === 'code_block') write(`${token.info}\n${token.content}`)
    else if (token.type === 'html_block') readTag(token.content)
    else continue
    readings.prose += '\n\n'
    open.length = 0
  }
  for (const [name, { href = '', title = '' }] of Object.entries(env.references ?? {})) {
    readings.hidden.push(name, title)
    readings.links.push({ target: href, label: '', isImage: false })
  }
  return readings
}
