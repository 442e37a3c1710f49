import { TextDecoder } from 'node:util'
import { type SourceAnswer, SourceFailure } from '../source.ts'

/** Media types of JSON; a type with the suffix `+json` is one too. */
const JSON_TYPES = ['application/json', 'text/json']

interface ContentType {
  /** Without parameters, lower case; empty without a header. */
  type: string
  /** Lower case; null if none is named. */
  charset: string | null
}

const contentType = (headers: SourceAnswer['headers']): ContentType => {
  const value = headers['content-type']
  const [type = '', ...parameters] = (typeof value === 'string' ? value : '').split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length)
  return { type, charset: charset?.replace(/^"(.*)"$/, '$1') ?? null }
}

/** Refuses an answer whose media type is not one of `types`. Throws `SourceFailure`. */
export const checkType = ({ headers }: Pick<SourceAnswer, 'headers'>, types: readonly string[]): void => {
  const { type } = contentType(headers)
  if (!types.includes(type))
    throw new SourceFailure('source_unreadable', `the type is ${type === '' ? 'not named' : JSON.stringify(type.slice(0, 100))}`)
}

/** Refuses an answer that is not of a media type of JSON. Throws `SourceFailure`. */
export const checkJsonType = (answer: Pick<SourceAnswer, 'headers'>): void => {
  const { type } = contentType(answer.headers)
  if (!type.endsWith('+json')) checkType(answer, JSON_TYPES)
}

const decoderOf = (charset: string): TextDecoder | null => {
  try {
    return new TextDecoder(charset, { fatal: true })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return null
  }
}

/**
 * Text of an answer by the charset that it names, UTF-8 without one, and without a byte order mark. Throws `SourceFailure` for an unknown
 * charset and for bytes that are not of it.
 */
export const answerText = ({ headers, body }: Pick<SourceAnswer, 'headers' | 'body'>): string => {
  const charset = contentType(headers).charset ?? 'utf-8'
  const decoder = decoderOf(charset)
  if (decoder === null) throw new SourceFailure('source_unreadable', `the charset ${JSON.stringify(charset.slice(0, 40))} is unknown`)
  try {
    return decoder.decode(body)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new SourceFailure('source_unreadable', `the text is not ${charset}`)
  }
}

/** Value of an answer in JSON. Throws `SourceFailure`. */
export const answerJson = (answer: Pick<SourceAnswer, 'headers' | 'body'>): unknown => {
  const text = answerText(answer)
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new SourceFailure('source_unreadable', 'the answer is not JSON')
  }
}

/** The same; null for anything else. */
export const findJson = (answer: Pick<SourceAnswer, 'headers' | 'body'>): unknown => {
  try {
    return answerJson(answer)
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    return null
  }
}
