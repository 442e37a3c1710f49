// Live updates, keys and times of a page. Without it every page works; it is then as old as its "as of" says.
const status = document.querySelector('#as-of')
const ages = new Map()
const MODES = ['age', 'UTC', 'local']
let mode = MODES.indexOf(localStorage.getItem('times') ?? 'age')

const showTimes = () => {
  for (const time of document.querySelectorAll('time:not([data-clock])')) {
    if (!ages.has(time)) ages.set(time, time.textContent)
    const at = new Date(time.dateTime)
    const zone = MODES[mode] === 'UTC' ? 'UTC' : undefined
    time.textContent =
      mode <= 0
        ? ages.get(time)
        : at.toLocaleString('en-GB', { timeZone: zone, dateStyle: 'medium', timeStyle: 'medium' }) + (zone ? ' UTC' : '')
  }
}
showTimes()
addEventListener('htmx:after:swap', showTimes)

// What a page waits for: everything, or the events of one session or job.
const [scope, id] = (status?.dataset.live ?? '').split(/ (.*)/)
const asOf = () => status.querySelector('time')?.outerHTML ?? ''
let since = status ? asOf() : ''
let timer
const update = () => {
  clearTimeout(timer)
  timer = setTimeout(() => document.body.dispatchEvent(new Event('live')), 300)
}
const say = (words) => {
  const text = document.createElement('span')
  text.textContent = words
  status.replaceChildren(text)
  if (words !== 'Live') status.insertAdjacentHTML('beforeend', since)
}
// A form that its reader fills in is not replaced under the hand.
const isTyping = () =>
  document.activeElement?.closest('#content-of-page')?.matches('input, select, textarea') ||
  document.activeElement?.matches('input, select, textarea')
document.body.addEventListener('htmx:before:request', (event) => {
  if (event.target.id === 'content-of-page' && isTyping()) event.preventDefault()
})
document.body.addEventListener('htmx:after:request', () => {
  if (status) since = `<time data-clock>${new Date().toLocaleTimeString('en-GB', { timeZone: 'UTC' })} UTC</time>`
})

if (scope) {
  const query = scope === 'all' ? '' : `?${new URLSearchParams({ [`${scope}Id`]: id })}`
  let stream
  const open = () => {
    stream = new EventSource(`/live${query}`)
    stream.onopen = () => {
      say('Live')
      update()
    }
    stream.addEventListener('changed', update)
    stream.addEventListener('ended', () => {
      stream.close()
      say('Signed out. As of ')
    })
    stream.onerror = () => {
      say('Not live. As of ')
      if (stream.readyState === EventSource.CLOSED) setTimeout(open, 5_000)
    }
  }
  open()
  addEventListener('pagehide', () => stream.close())
}

// Keys.
const keys = document.querySelector('#keys')
const rows = () => [...document.querySelectorAll('.rows tr')].map((row) => row.querySelector('a, button, [tabindex]')).filter(Boolean)
const walk = (step) => {
  const all = rows()
  const current = document.activeElement?.closest('.rows tr')
  const place = current
    ? [...document.querySelectorAll('.rows tr')].filter((row) => row.querySelector('a, button, [tabindex]')).indexOf(current)
    : step > 0
      ? -1
      : all.length
  all[Math.min(Math.max(place + step, 0), all.length - 1)]?.focus()
}
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, select, textarea')) return
  const act = {
    '/': () => document.querySelector('#search')?.focus(),
    j: () => walk(1),
    k: () => walk(-1),
    t: () => {
      mode = (Math.max(mode, 0) + 1) % MODES.length
      localStorage.setItem('times', MODES[mode])
      showTimes()
    },
    '?': () => keys?.showModal(),
  }[event.key]
  if (act === undefined) return
  event.preventDefault()
  act()
})

// A click on an id copies it.
document.addEventListener('click', async (event) => {
  const code = event.target.closest?.('code.id')
  if (!code || !navigator.clipboard) return
  try {
    await navigator.clipboard.writeText(code.title || code.textContent)
    const notice = document.querySelector('#notice')
    notice.textContent = 'Copied'
    setTimeout(() => {
      if (notice.textContent === 'Copied') notice.textContent = ''
    }, 1_500)
  } catch {
    // The text is selected, so that the reader copies it.
  }
})
