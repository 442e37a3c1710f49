import { stripInvisible } from './characters.ts'

/** Letters of other scripts, and odd letters of our own, that look like the Latin letter at the head of the row. */
const LOOKALIKES: Record<string, string> = {
  a: 'аαɑᴀ∀ꓮᎪ🅐🅰Λλⲁ',
  b: 'ЬвʙᏏƀɓꓐᏴ🅑🅱βВ',
  c: 'сϲᴄⅽꓚᏟ🅒🅲ⲥƈ',
  d: 'ԁɗᴅđꓓᎠ🅓🅳ժ',
  e: 'еєεᴇҽɛꓰᎬ🅔🅴ⲉ℮эɘǝ',
  f: 'ꜰƒꓝ🅕🅵ϝ',
  g: 'ɡɢցꓖᏀ🅖🅶ǥԍ',
  h: 'һʜհнꓧᎻ🅗🅷ħⲏ',
  i: 'іɪıιӏ🅘🅸ꓲᎥⲓɩ',
  j: 'јᴊϳꓙᎫ🅙🅹ʝ',
  k: 'кκᴋꓗᏦ🅚🅺ƙⲕ',
  l: 'ʟłꓡᏞ🅛🅻ⅼɭ',
  m: 'мᴍμꓟᎷ🅜🅼ⲙ',
  n: 'пɴոηꓠ🅝🅽ɲⲛ',
  o: 'оοσᴏօꓳ🅞🅾øⲟө',
  p: 'рρᴘꓑᏢ🅟🅿ⲣ',
  q: 'ԛզ🅠🆀',
  r: 'гʀꓣᎡ🅡🆁ⲅɼ',
  s: 'ѕꜱꓢᏚ🅢🆂ʂ',
  t: 'тτᴛꓔᎢ🅣🆃ⲧŧ',
  u: 'υᴜսꓴ🅤🆄ʋц',
  v: 'ѵνᴠꓦᏙ🅥🆅',
  w: 'ѡωᴡԝꓪᎳ🅦🆆ш',
  x: 'хχꓫ🅧🆇ⲭҳ',
  y: 'уγʏꓬ🅨🆈үⲩ',
  z: 'ᴢꓜᏃ🅩🆉ʐ',
}

const LATIN = new Map<string, string>()
for (const [latin, others] of Object.entries(LOOKALIKES)) {
  for (const other of [...others, ...others.toLowerCase()]) if (!LATIN.has(other)) LATIN.set(other, latin)
}
const FIRST_REGIONAL_LETTER = 0x1f1e6

const toLatin = (word: string): string => Array.from(word, (letter) => LATIN.get(letter) ?? letter).join('')
const WORD = /[\p{L}\p{N}]+/gu
const NEGATIVE_LETTERS = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu
const REGIONAL_LETTERS = /[\u{1f1e6}-\u{1f1ff}]/gu
/** Letters of phonetic and small-capital forms, of which normal words have none. */
const ODD_LATIN = /[\u0250-\u02af\u1d00-\u1d7f\ua720-\ua7ff]/u

const isMixed = (word: string): boolean =>
  /\p{Script=Latin}/u.test(word) && (/[^\p{Script=Latin}\p{N}]/u.test(word) || ODD_LATIN.test(word) || /[ıłøđħŧƀ]/.test(word))

/** Lower case in plain letters: full-width forms, accents and what a reader does not see are gone. */
function plain(text: string): string {
  const letters = stripInvisible(text.normalize('NFKC'))
    .replaceAll(REGIONAL_LETTERS, (flag) => String.fromCharCode(97 + (flag.codePointAt(0) ?? 0) - FIRST_REGIONAL_LETTER))
    .replaceAll(NEGATIVE_LETTERS, (letter) => LATIN.get(letter) ?? letter)
  return letters.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().normalize('NFC')
}

const LEET: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i', '|': 'l' }
const LEET_WORD = /[a-z0134579@$!|]+/g
const unLeet = (text: string, one: string): string =>
  text.replaceAll(LEET_WORD, (word) => {
    if (!/[a-z]/.test(word) || !/[013457@$]/.test(word)) return word
    return Array.from(word, (letter) => (letter === '1' ? one : (LEET[letter] ?? letter))).join('')
  })

/** Folded form of a text, as patterns write their words. Letters of other scripts inside Latin words become Latin. */
export const fold = (text: string): string => plain(text).replaceAll(WORD, (word) => (isMixed(word) ? toLatin(word) : word))

/** The ways in which a reader may take the letters of a text, each folded: as written, wholly in lookalikes, with digits for letters. */
export function foldings(text: string): string[] {
  const folded = fold(text)
  const latin = folded.replaceAll(WORD, (word) => {
    const changed = toLatin(word)
    return /^[a-z0-9]+$/.test(changed) ? changed : word
  })
  return [...new Set([folded, latin, unLeet(latin, 'i'), unLeet(latin, 'l')])]
}
