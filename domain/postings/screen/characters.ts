/** Scripts whose letters join or part by a zero-width character. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Hebrew}]/u
/** Scripts that write words without spaces and mark a line break by a zero-width space. */
const SPACELESS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const PICTOGRAPH = /\p{Extended_Pictographic}/u
const EMOJI = /\p{Emoji}/u
const EMOJI_END = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u

/** Characters that a reader does not see. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u
const CONTROL = /[\p{Cc}\u2028\u2029]/u
/** Flags of parts of a country are a black flag with invisible letters. */
const REGION_FLAGS =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu
/** Soft hyphens of a text, at most; one in a word that has letters at both sides. */
const SOFT_HYPHENS = 8
/** Combining marks on one letter, at most. */
const MARKS = 4

const EMBEDDINGS = new Set(['\u202a', '\u202b', '\u2066', '\u2067', '\u2068'])
const EMBEDDING_ENDS = new Set(['\u202c', '\u2069'])
const DIRECTION_MARKS = new Set(['\u200e', '\u200f', '\u061c'])

/** Whether the invisible character at `index` has a plain need there. */
function isNeeded(characters: readonly string[], index: number, isRightToLeft: boolean): boolean {
  const character = characters[index] ?? ''
  const before = characters[index - 1] ?? ''
  const after = characters[index + 1] ?? ''
  if (DIRECTION_MARKS.has(character) || EMBEDDINGS.has(character) || EMBEDDING_ENDS.has(character)) return isRightToLeft
  switch (character) {
    case '\u200d':
      return (EMOJI_END.test(before) && PICTOGRAPH.test(after)) || JOINING.test(before)
    case '\u200c':
      return JOINING.test(before)
    case '\u200b':
      return SPACELESS.test(before) && SPACELESS.test(after)
    case '\ufe0e':
    case '\ufe0f':
      return EMOJI.test(before)
    case '\u180b':
    case '\u180c':
    case '\u180d':
      return /\p{Script=Mongolian}/u.test(before)
    default:
      if (/[\u{e0100}-\u{e01ef}]/u.test(character)) return /\p{Script=Han}/u.test(before)
      // Signs that Arabic, Syriac and Kaithi print around a number.
      return /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u.test(character)
  }
}

const isLetter = (character: string | undefined): boolean => character !== undefined && /\p{L}/u.test(character)

/** Rules that the characters of a text break. */
export function checkCharacters(text: string): Set<string> {
  const broken = new Set<string>()
  const characters = [...text.replaceAll(REGION_FLAGS, '')]
  const isRightToLeft = RIGHT_TO_LEFT.test(text)
  let softHyphens = 0
  let marks = 0
  let open = 0
  for (const [index, character] of characters.entries()) {
    marks = /\p{M}/u.test(character) && !INVISIBLE.test(character) ? marks + 1 : 0
    if (marks > MARKS) broken.add('stacked_marks')
    if (/[\u202d\u202e]/.test(character)) broken.add('direction_override')
    else if (CONTROL.test(character)) {
      if (!/[\t\n\r]/.test(character)) broken.add('control_character')
    } else if (character === '\u00ad') {
      softHyphens += isLetter(characters[index - 1]) && isLetter(characters[index + 1]) ? 1 : SOFT_HYPHENS + 1
      if (softHyphens > SOFT_HYPHENS) broken.add('invisible_character')
    } else if (INVISIBLE.test(character)) {
      if (!isNeeded(characters, index, isRightToLeft)) broken.add('invisible_character')
    } else if (/[\p{Co}\p{Cn}\p{Cs}]/u.test(character)) broken.add('unreadable_character')
    if (EMBEDDINGS.has(character)) open += 1
    if (EMBEDDING_ENDS.has(character)) open -= 1
    if (open < 0) broken.add('direction_override')
  }
  if (open !== 0) broken.add('direction_override')
  return broken
}

/** The text without characters that a reader does not see. */
export const stripInvisible = (text: string): string => text.replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
