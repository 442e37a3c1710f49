/** Name of the cookie that holds the token: a browser takes it only over HTTPS or from this machine, for this host alone. */
const NAME = '__Host-console'

/** Characters of a token. Anything else is no token. */
const TOKEN = /^[A-Za-z0-9._~+/=-]{1,4000}$/

const cookieIn = (name: string, header: string): string | undefined =>
  header
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** The token in the header `Cookie`; undefined without one. */
export const readCookie = (header: string): string | undefined => {
  const found = cookieIn(NAME, header)
  return found !== undefined && TOKEN.test(found) ? found : undefined
}

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** Header `Set-Cookie` that keeps a token until it expires, in seconds from now. */
export const keepCookie = (token: string, seconds: number): string =>
  `${NAME}=${token}; Max-Age=${Math.max(0, Math.floor(seconds))}; ${ATTRIBUTES}`

/** Header `Set-Cookie` that forgets the token. */
export const dropCookie = (): string => `${NAME}=; Max-Age=0; ${ATTRIBUTES}`

/** Name of the cookie that tells the next page which action was taken: an address would tell it again, and to whom it is sent. */
const DONE = '__Host-console-done'
const DONE_SECONDS = 30

/** Header `Set-Cookie` that names an action for the next page; without a name it forgets the last one. */
export const doneCookie = (action = ''): string => `${DONE}=${action}; Max-Age=${action === '' ? 0 : DONE_SECONDS}; ${ATTRIBUTES}`

/** Name of the action that was taken just before; undefined without one. */
export const readDone = (header: string): string | undefined => cookieIn(DONE, header)
