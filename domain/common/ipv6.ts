const IPV6 = /^[0-9a-f:.]+$/i

/** The eight groups of an IPv6 address in lower case; null for any other text. */
export const ipv6Groups = (text: string): string[] | null => {
  if (!text.includes(':') || !IPV6.test(text) || !URL.canParse(`http://[${text}]`)) return null
  // The URL parser prints every spelling of an address as the same shortest one.
  const [left = '', right] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::')
  const [head, tail] = [left, right ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]]
  return right === undefined ? head : [...head, ...new Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}
