/** Name of the cookie that holds the token: a browser takes it only over HTTPS or from this machine, for this host alone. */
const NAME = '__Host-console'

/** Characters of a token. Anything else is no token. */
const TOKEN = /^[A-Za-z0-9._~+/=-]{1,4000}$/

/** The token in the header `Cookie`; undefined without one. */
export const readCookie = (header: string | undefined): string | undefined => {
  const found = header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1)
  return found !== undefined && TOKEN.test(found) ? found : undefined
}

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** Header `Set-Cookie` that keeps a token until it expires, in seconds from now. */
export const keepCookie = (token: string, seconds: number): string =>
  `${NAME}=${token}; Max-Age=${Math.max(0, Math.floor(seconds))}; ${ATTRIBUTES}`

/** Header `Set-Cookie` that forgets the token. */
export const dropCookie = (): string => `${NAME}=; Max-Age=0; ${ATTRIBUTES}`
