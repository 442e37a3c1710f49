import { consoleSettings } from '../../local/services.ts'

/** Names of the settings of the console. */
export const CONSOLE_SETTINGS = Object.keys(
  consoleSettings(
    { NODE_ENV: '', HOST: '', LOG_LEVEL: '' },
    { port: 0, urls: { console: '', api: '', temporalUi: '' }, time: { url: '', secret: '' } },
  ),
)
