const [OPEN, CLOSE] = ['\u2068', '\u2069']
/** Letters that run to the left, and marks that turn what follows them. */
const TURNS = /[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
/** Lines of Unicode, which end an isolate. */
const LINES = /[\u2028\u2029]/g
const CONTROLS = /(?![\t\n\f\r])\p{Cc}/gu

/** The text with as many ends of isolates as beginnings, each after its own. */
const balanced = (text: string): string => {
  let depth = 0
  const kept = text.replaceAll(/[\u2066-\u2069]/g, (mark) => {
    if (mark === CLOSE && depth === 0) return ''
    depth += mark === CLOSE ? -1 : 1
    return mark
  })
  return kept + CLOSE.repeat(depth)
}

/**
 * A text in a frame of its own direction (Unicode Standard Annex 9, first strong isolate), so that it turns no text beside it; in attributes
 * and titles no element could do that. A text that turns nothing has no frame. Characters that HTML refuses are replaced.
 */
export const isolate = (text: string): string => {
  const plain = text.replaceAll(LINES, ' ').replaceAll(CONTROLS, '\uFFFD').toWellFormed()
  return TURNS.test(plain) ? `${OPEN}${balanced(plain)}${CLOSE}` : plain
}
