/** How strongly a text parts two words. */
export const GAP = { none: 0, comma: 1, colon: 2, stop: 3 } as const

/** Words of a folded text. A sign in angle brackets stands for an address, a number or a handle. */
export interface Tokens {
  words: string[]
  /** What stands before each word. */
  gaps: number[]
}

/** Scripts without spaces: each of their characters is a word. */
const SINGLE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Hangul}ー'
const PIECES = new RegExp(
  [
    `(?<url>[a-z][a-z0-9+.-]{1,20}:\\/\\/[^\\s<>"'\`)\\]}|${SINGLE}]+|www\\.[^\\s<>"'\`)\\]}|${SINGLE}]+)`,
    '(?<messenger>(?<![\\w.-])(?:t\\.me|telegram\\.me|wa\\.me|discord\\.gg|signal\\.me|chat\\.whatsapp\\.com)\\b)',
    '(?<mail>[a-z0-9._%+-]{1,64}@(?:[a-z0-9-]{1,63}\\.){1,4}[a-z]{2,24}(?![\\w]))',
    '(?<wallet>0x[0-9a-f]{40}(?![0-9a-f])|bc1[0-9a-z]{25,60}|[a-z0-9-]{2,40}\\.eth(?![a-z0-9]))',
    '(?<handle>(?<![\\w@/])@(?=[0-9_]{0,40}[a-z])[a-z0-9_]{3,40}(?![\\w/-]))',
    '(?<phone>\\+\\d[\\d ()-]{7,20}\\d)',
    '(?<words>(?:12|15|18|24)[ -]words?(?![a-z]))',
    '(?<dotenv>169\\.254\\.169\\.254|(?<![\\w])\\.env(?:\\.(?:local|production|prod|development))?(?![\\w.-]*(?:example|sample|template|dist)))',
    '(?<number>[$€£]?\\d+(?:[.,]\\d+)*(?![\\p{L}\\p{N}]))',
    `(?<single>[${SINGLE}])`,
    `(?<word>(?:(?![${SINGLE}])[\\p{L}\\p{M}\\p{N}])+(?:['’](?:(?![${SINGLE}])[\\p{L}\\p{M}])+)?)`,
    '(?<end>[.!?]+(?=["\')\\]*_]*(?:\\s|$))|[;。！？؟।…]|\\n\\s*(?:\\n|[-*+>#|]|\\d+[.)]\\s))',
    '(?<colon>[:：([{}\\])—–>|]| - )',
    '(?<comma>[,،、，])',
  ].join('|'),
  'gu',
)
const SIGNS = ['url', 'messenger', 'mail', 'wallet', 'handle', 'phone', 'words', 'dotenv', 'number'] as const

/** Words of a folded text, in one pass. */
export function tokenise(folded: string): Tokens {
  const words: string[] = []
  const gaps: number[] = []
  let gap: number = GAP.stop
  // Emphasis inside a word and marks of code part no words.
  for (const { groups = {} } of folded.replaceAll(/[*`~]+/g, '').matchAll(PIECES)) {
    const sign = SIGNS.find((name) => groups[name] !== undefined)
    const word = sign === undefined ? (groups.single ?? groups.word) : `<${sign}>`
    if (word !== undefined) {
      words.push(word.replaceAll(/['’]/g, ''))
      gaps.push(gap)
      gap = GAP.none
    } else gap = Math.max(gap, groups.end === undefined ? (groups.colon === undefined ? GAP.comma : GAP.colon) : GAP.stop)
  }
  return { words, gaps }
}
