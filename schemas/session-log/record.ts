/** How a log can contradict itself or its published heads, in the order of the checks. */
const LOG_FAULTS = [
  'entry_altered',
  'entry_reordered',
  'entry_missing',
  'entry_inserted',
  'entry_replaced',
  'history_cut',
  'list_altered',
  'head_altered',
  'head_missing',
] as const
export type LogFault = (typeof LOG_FAULTS)[number]
