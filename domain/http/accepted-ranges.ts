/** Media ranges that a header `Accept` takes, in lower case; without the header, every type (RFC 9110, 12.5.1). */
export const acceptedRanges = (accept: string): string[] =>
  (accept.trim() === '' ? '*/*' : accept)
    .toLowerCase()
    .split(',')
    .flatMap((text) => {
      const [range = '', ...parameters] = text.split(';').map((part) => part.trim())
      return range === '' || parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [range]
    })
