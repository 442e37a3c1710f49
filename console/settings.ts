import { z } from 'zod'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether an address is on this machine, where a browser trusts plain HTTP. */
const isLoopback = (address: string): boolean => LOOPBACK.test(new URL(address).hostname)

const webAddress = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''))

const MEMBERS = {
  NODE_ENV: z.string().default('production'),
  HOST: z.string().default('127.0.0.1'),
  CONSOLE_PORT: z.coerce.number().int().min(0).max(65_535).default(8793),
  /** Base address of the API. */
  CONSOLE_API_URL: webAddress.default('http://127.0.0.1:8787'),
  /** Time that the console waits for an answer of the API, seconds; a read is tried once more. */
  CONSOLE_API_TIMEOUT_SECONDS: z.coerce.number().positive().max(120).default(15),
  /** Address of the console in a browser. */
  CONSOLE_URL: webAddress.optional(),
  /** Proxies before the console that add to `X-Forwarded-For`. */
  CONSOLE_TRUSTED_PROXIES: z.coerce.number().int().min(0).default(0),
  /** Temporal UI, for links to workflows of the namespace. */
  TEMPORAL_UI_URL: webAddress.optional(),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  /** Explorer of the chain, for links to `/tx/<hash>`. */
  EXPLORER_URL: webAddress.optional(),
  /** Time of the local stack, which the console shows and moves. */
  LOCAL_TIME_URL: webAddress.optional(),
  LOCAL_TIME_SECRET: z.string().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
}

/** Names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(MEMBERS)

const Settings = z
  .object(MEMBERS)
  .refine(({ CONSOLE_URL: url }) => url === undefined || url.startsWith('https:') || isLoopback(url), {
    path: ['CONSOLE_URL'],
    error: 'must begin with https: a browser keeps the sign-in only there, or on this machine',
  })
  .refine(({ LOCAL_TIME_URL: url }) => url === undefined || isLoopback(url), {
    path: ['LOCAL_TIME_URL'],
    error: 'must be on this machine: only a local stack moves time',
  })

export type Settings = z.infer<typeof Settings> & {
  /** Address of the console in a browser, without a slash at the end. */
  url: string
}

/** Settings of the console from the environment. Throws an error that lists every bad one. */
export const readSettings = (env: Readonly<Record<string, string | undefined>>): Settings => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const read = Settings.safeParse(given)
  if (!read.success) throw new Error(`bad settings:\n${z.prettifyError(read.error)}`)
  return { ...read.data, url: read.data.CONSOLE_URL ?? `http://${read.data.HOST}:${read.data.CONSOLE_PORT}` }
}
