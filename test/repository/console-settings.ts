import { SETTING_NAMES } from '../../console/settings.ts'

/** Names of the settings of the console. */
export const CONSOLE_SETTINGS = SETTING_NAMES
