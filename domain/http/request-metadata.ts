/** Types that are read as JSON: JSON itself, and what common clients send by default for a body of text. */
const JSON_TYPES = /^(?:application\/json|text\/json|text\/plain|application\/x-www-form-urlencoded|[\w.+-]+\/[\w.-]+\+json)$/
const CHARSETS = ['utf-8', 'utf8', 'us-ascii']

/** Why a body with these header values cannot be read as JSON in UTF-8; null when it can. A header that is not sent refuses nothing. */
export const unreadableBody = (contentType: string, contentEncoding: string): string | null => {
  const encodings = contentEncoding.toLowerCase().split(',')
  if (encodings.some((encoding) => !['', 'identity'].includes(encoding.trim())))
    return 'Content-Encoding must be identity: send the body as it is, without compression.'
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  if (type.trim() !== '' && !JSON_TYPES.test(type.trim())) return 'Content-Type must be application/json.'
  const charsets = parameters.flatMap((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1] ?? [])
  return charsets.every((charset) => CHARSETS.includes(charset)) ? null : 'The charset of Content-Type must be utf-8.'
}

const HOST = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*(?::\d*)?$/i
const HOST_LITERAL = /^\[[\da-f:.]+\](?::\d*)?$/i

/** Whether the values of all `Host` lines name one host (RFC 9112, 3.2); HTTP before 1.1 may name none. An empty value names none on purpose. */
export const namesOneHost = (hosts: readonly string[], httpVersion: string): boolean => {
  const [host] = hosts
  if (host === undefined) return httpVersion !== '1.1'
  return hosts.length === 1 && (HOST.test(host) || HOST_LITERAL.test(host))
}
