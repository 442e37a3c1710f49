import { readBlocks, type TextBlock } from './blocks.ts'

/** Text in which maintainers may state a policy. */
export interface PolicyText {
  /** Path of the file, or what the text is, such as `issue`. */
  path: string
  text: string
}

/** One sentence with what gives it a subject where it names none itself. */
export interface PolicySentence {
  text: string
  /** Headings above it, the outermost first, joined by ` > `; empty without one. */
  heading: string
  /** Sentence before it under the same heading; empty without one. */
  before: string
}

/** Longest text that is read, in characters. */
const MAX_LENGTH = 512 * 1024
/** Longest piece that the patterns read at once, in characters: it bounds their work. A longer sentence is read in several, which overlap. */
const MAX_PIECE = 1_000
const OVERLAP = 200
const MAX_HEADING = 300

const IS_TEMPLATE = /template/i
/** A template speaks to authors in comments, which only they see. */
const showComments = ({ path, text }: PolicyText): string =>
  IS_TEMPLATE.test(path) ? text.replace(/<!--([\s\S]*?)-->/g, '\n\n$1\n\n') : text

/** One spelling: compatibility forms, dashes, quotation marks, abbreviations, signs that mean yes, no or a bot, and no invisible characters. */
const unify = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[❌⛔✗✘✖👎🚫🛑]\ufe0f?/gu, ' no ')
    .replace(/🤖/gu, ' bots ')
    .replace(/\p{Cf}|\ufe0f/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/[‘’ʼ`´]/gu, "'")
    .replace(/[“”„«»"]/gu, ' ')
    .replace(/\bA\.\s?I\.(?=\s+[A-Z])/g, 'AI')
    .replace(/\bA\.\s?I\./g, 'AI')
    .replace(/\b(e\.\s?g|i\.\s?e|z\.\s?B|d\.\s?h|u\.\s?a|vs|cf|incl|resp)\./gi, (short) => short.replace(/[.\s]/g, ''))
    .replace(/\s+/g, ' ')
    .trim()

const isIntro = (text: string): boolean => /[:：]$/.test(text) && text.length <= 200

/** Pieces of a block: its sentences, and parts of a sentence that is too long. */
const splitBlock = (text: string): string[] =>
  text
    .split(/(?<=[.!?]['")\]]{0,2})\s+(?=['"(*[]?[\p{Lu}\p{Lo}\d@])|(?<=[。!?])(?=\p{Lo})/u)
    .flatMap((sentence) =>
      sentence.length <= MAX_PIECE
        ? [sentence]
        : Array.from({ length: Math.ceil(sentence.length / (MAX_PIECE - OVERLAP)) }, (_, index) =>
            sentence.slice(index * (MAX_PIECE - OVERLAP), index * (MAX_PIECE - OVERLAP) + MAX_PIECE),
          ),
    )

/**
 * Sentences of a text in their order, without comments. Quotations, tables, code and HTML are text. An item of a list, or the block after a colon,
 * follows the words that open it.
 */
export const policySentences = (source: PolicyText): PolicySentence[] => {
  const headings: TextBlock[] = []
  let before = ''
  let intro = ''
  let isListOpen = false
  return readBlocks(source.path, showComments(source).slice(0, MAX_LENGTH)).flatMap((block) => {
    const { rank, isItem } = block
    const plain = unify(block.text)
    if (plain === '') return []
    if (!isItem && isListOpen) intro = ''
    isListOpen = isItem
    if (rank > 0) {
      while ((headings.at(-1)?.rank ?? 0) >= rank) headings.pop()
      before = ''
      intro = ''
    }
    const heading = headings
      .map(({ text }) => unify(text))
      .join(' > ')
      .slice(-MAX_HEADING)
    const parts = intro === '' || isIntro(plain) ? splitBlock(plain) : splitBlock(`${intro} ${plain}`)
    if (rank > 0) headings.push(block)
    if (isIntro(plain) && rank === 0) intro = plain
    else if (!isItem) intro = ''
    return parts.map((text) => {
      const sentence = { text, heading, before }
      before = rank > 0 ? '' : text
      return sentence
    })
  })
}
