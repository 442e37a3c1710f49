import { readOwnBlocks } from '../markdown.ts'

/** Text in which maintainers may state a policy. */
export interface PolicyText {
  /** Path of the file, or what the text is, such as `issue`. */
  path: string
  text: string
}

/** One sentence with what gives it a subject where it names none itself. */
export interface PolicySentence {
  text: string
  /** Heading above it; empty without one. */
  heading: string
  /** Sentence before it under the same heading; empty without one. */
  before: string
}

/** Longest text that is read, in characters. */
const MAX_LENGTH = 512 * 1024
/** Longest sentence that is read, in characters: it bounds the work of the patterns. */
const MAX_SENTENCE = 1_000

const IS_TEMPLATE = /template/i
/** A template speaks to authors in comments, which only they see. */
const showComments = ({ path, text }: PolicyText): string =>
  IS_TEMPLATE.test(path) ? text.replace(/<!--([\s\S]*?)-->/g, '\n\n$1\n\n') : text

/** Text in quotation marks repeats other people, unless it is one or two words that are meant as a term. */
const dropQuoted = (text: string): string =>
  text.replace(/"([^"]{1,300})"|“([^”]{1,300})”/g, (_whole, straight?: string, curved?: string) => {
    const words = straight ?? curved ?? ''
    return /^(?!no\b|not\b)[\w-]+(?: [\w-]+)?$/i.test(words.trim()) ? words : '…'
  })

const isIntro = (text: string): boolean => text.endsWith(':') && text.length <= 200

const splitBlock = (text: string): string[] => text.split(/(?<=[.!?]["')\]]?)\s+(?=["'(*[]?[A-Z0-9])/)

/** Sentences of a text in their order, without code, quotations and comments. An item of a list follows the words that open its list. */
export const policySentences = (source: PolicyText): PolicySentence[] => {
  let heading = ''
  let before = ''
  let intro = ''
  return readOwnBlocks(showComments(source), MAX_LENGTH).flatMap(({ isHeading, text }) => {
    const plain = dropQuoted(text.replace(/\s+/g, ' ').trim())
    if (plain === '') return []
    const opened = isHeading ? '' : intro
    if (isHeading) {
      heading = plain.slice(0, MAX_SENTENCE)
      before = ''
      intro = ''
    } else if (isIntro(plain)) intro = plain
    const parts = isIntro(plain) || opened === '' ? splitBlock(plain) : splitBlock(`${opened} ${plain}`)
    return parts.map((part) => {
      const sentence = { text: part.slice(0, MAX_SENTENCE), heading: isHeading ? '' : heading, before }
      before = isHeading ? '' : sentence.text
      return sentence
    })
  })
}
