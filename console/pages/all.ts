import type { Page } from '../view.ts'
import { now } from './now.ts'
import { sessions } from './sessions.ts'

/** Every page, in the order of the navigation. */
export const PAGES: readonly Page[] = [now, sessions]
