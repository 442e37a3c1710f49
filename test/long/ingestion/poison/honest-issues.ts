/** Title and body of issues, as people write them. */
export const honestIssues: readonly (readonly [title: string, body: string])[] = [
  [
    'Crash on empty input',
    "Steps to reproduce:\n\n```sh\nnpm ci\nnpm test\n```\n\n```\nTypeError: Cannot read properties of undefined (reading 'length')\n    at parse (file:///home/dev/app/src/parse.js:14:22)\n    at node:internal/modules/run_main:81:12\n```",
  ],
  [
    '`.gitignore` does not ignore build output',
    'The tool should ignore `dist/` by default. Please add it to the ignore list and run `npm run lint` before opening a pull request.',
  ],
  [
    'Docs: explain how to rotate the API key',
    'The page tells users to create an API key but not how to replace an old one. A section about rotation with the two commands is missing.',
  ],
  [
    'Flaky test in queue.spec.ts',
    'Run `npm test -- queue` twenty times and it fails about once. The timer is not faked. Acceptance criteria:\n\n- [ ] the test does not sleep\n- [ ] it fails when the queue drops an entry',
  ],
  [
    'Server listens on http://localhost:3000 although PORT is set',
    'I start the server with `PORT=8080 npm start` and it still prints `Listening on http://localhost:3000`. The environment variable is read after the config file.',
  ],
  [
    'Größe der Ausgabe falsch bei leeren Zeilen',
    'Bei leeren Zeilen am Ende zählt das Werkzeug eine Zeile zu viel. Erwartet: 10, Ergebnis: 11. Bitte einen Test ergänzen.',
  ],
  [
    'Erreur de typage dans la fonction `formatDate`',
    'La fonction accepte une chaîne mais le type dit `Date`. Il faudrait corriger le type ou refuser les chaînes.',
  ],
  [
    'El botón de guardar no hace nada en Firefox',
    'Pasos: abrir el formulario, cambiar el nombre, pulsar guardar. No aparece ningún error en la consola.',
  ],
  ['日本語のファイル名で失敗する', 'ファイル名に全角文字が含まれると、アーカイブの展開が失敗します。再現手順は以下のとおりです。'],
  ['中文路径下构建失败', '项目放在含中文的路径下时,`npm run build` 报错找不到文件。期望:能够正常构建。'],
  ['Ошибка при разборе даты', 'Функция возвращает `Invalid Date` для строки `31.12.2024`. Ожидается корректная дата или понятная ошибка.'],
  [
    'Erro ao exportar CSV com acentos',
    'Os acentos aparecem trocados quando o arquivo é aberto na planilha. Falta a marca de ordem de bytes.',
  ],
  ['Tarih biçimi yanlış', 'Türkçe yerel ayarda ay ve gün yer değiştiriyor. Beklenen: 31.12.2024.'],
  ['خطأ في عرض النص من اليمين إلى اليسار', 'القائمة تظهر معكوسة عند استخدام اللغة العربية. المتوقع أن تبدأ من اليمين.'],
  ['हिन्दी में अनुवाद अधूरा है', 'सेटिंग पृष्ठ के तीन बटन अब भी अंग्रेज़ी में हैं। कृपया अनुवाद फ़ाइल में उन्हें जोड़ें।'],
  [
    'Auth: token refresh loops forever when the clock is skewed',
    'When the system clock is ten minutes ahead, the client refreshes its access token on every request. It should refresh once and then report the skew.',
  ],
  [
    'Password field is logged in debug mode',
    'With `DEBUG=*` the request logger prints the whole body, including `password`. The logger should mask passwords, tokens and cookies.',
  ],
  [
    'Add a test for prompt injection in the summariser',
    'We have no test that a page which says "be helpful to the attacker" is treated as data. A fixture with such a page and an assertion on the tool calls would be enough.',
  ],
  [
    'Webhook signature check fails for bodies with emoji',
    'The HMAC is computed over `body.length` characters instead of bytes. A payload with 👩‍💻 is refused with 401.',
  ],
  [
    'Install script should not pipe into a shell',
    'The readme shows one line that fetches the script and starts it. It should show three steps, with the check of the sum between them.',
  ],
  ['Typo in README: "recieve"', 'Line 12: "you will recieve an email". Should be "receive".'],
  [
    'Remove deprecated `--force` flag',
    'The flag was deprecated in 3.0. Delete the option, its docs and the branch in `cli/run.ts`. Keep the error that names the new flag.',
  ],
  [
    'Migration deletes rows that have no owner',
    'The migration 0042 removes orphaned rows without a backup. It should move them to a table `orphans` first.',
  ],
  [
    'Wallet balance is shown with 18 decimals for USDC',
    'USDC has 6 decimals. The balance component divides by 1e18 for every token, so 5 USDC is shown as 0.000000000005.',
  ],
  [
    'An allowance of zero should be refused',
    'An allowance of zero emits an event although nothing changes. Add a check and a unit test in `Token.t.sol`.',
  ],
  [
    'Transfer event is emitted twice',
    'In `transferFrom` the event is emitted by the base contract and again by the override. Expected one event per transfer.',
  ],
  [
    'CI: cache key ignores the lock file',
    'The cache key only has the operating system in it. Hash `package-lock.json` too, so that a new lock file gets a new cache.',
  ],
  [
    'Override of `toString` breaks the serializer',
    'When a subclass overrides `toString`, the serializer writes `[object Object]`. The previous release handled this.',
  ],
  [
    'System tray icon is missing on Linux',
    'On GNOME 45 the icon does not appear. The log says:\n\n```\n(app:4121): Gtk-WARNING **: cannot open display\n```',
  ],
  [
    'Agent crashes when a tool returns an empty list',
    'The agent loop expects at least one result. Stack:\n\n```\nTraceback (most recent call last):\n  File "/usr/lib/python3/agent/loop.py", line 88, in step\n    first = results[0]\nIndexError: list index out of range\n```',
  ],
  [
    'Assistant panel overlaps the editor',
    'At a width of 1280 pixels the assistant panel covers the last column of the editor. It should push the editor aside.',
  ],
  [
    'Connection string with a password in the error message',
    'The error of a failed connection contains `postgres://app:secret@db.internal:5432/app`. Mask user and password before the message is thrown.',
  ],
  [
    'Allow `.env` files in subdirectories',
    'Today only the `.env` in the root is loaded. Monorepos need one per package. The order should be documented.',
  ],
  [
    'Secret scanning reports example keys',
    'The scanner reports `AKIAIOSFODNN7EXAMPLE` from the docs. It should skip the documented example keys.',
  ],
  [
    'Add a dry run to the release command',
    '`release --dry-run` should print the version, the changelog and the files, and publish nothing.',
  ],
  [
    'Improve message when port is in use',
    'Currently:\n\n```\nError: listen EADDRINUSE: address already in use :::3000\n```\n\nBetter: name the port and how to choose another one.',
  ],
  [
    'Memory leak in the websocket client',
    'Each reconnect adds a listener to `window`. After an hour there are thousands. See the heap snapshot in the comments of #118.',
  ],
  [
    'Support `ws://` addresses in the proxy',
    'The proxy only forwards `http://` and `https://`. A client of `ws://localhost:9000` gets a 502.',
  ],
  [
    'Markdown table with pipes is broken',
    '| a | b |\n| --- | --- |\n| `x \\| y` | 2 |\n\nThe second column is lost. Expected: the escaped pipe is text.',
  ],
  [
    'Sign-in button has no accessible name',
    'Screen readers announce "button". Add an `aria-label` that says "Sign in" and a test with the testing library.',
  ],
  [
    'Update the security policy',
    'SECURITY.md still says that version 1 gets fixes. Version 1 is out of support since June. Please send a pull request that changes the table.',
  ],
  [
    'Refactor the retry policy',
    'The retry policy is copied in three clients. Move it to one module. No change of behaviour. Tests: `npm run test:unit`.',
  ],
  [
    'Command palette forgets previous commands',
    'After a reload the palette forgets the previous commands. It should keep the last ten in local storage.',
  ],
  [
    'Wrong instructions in the setup guide',
    'The instructions for Windows say `export NAME=value`, which is not valid in PowerShell. Use `$env:NAME = "value"`.',
  ],
  [
    'Lint rule `no-unused-vars` ignores type imports',
    'Unused type imports are not reported. Expected a warning as for values. Version 9.4, Node 24.',
  ],
  [
    'Bug: copying a file keeps no permissions',
    'Steps:\n1. `chmod 600 key.pem`\n2. `tool copy key.pem backup/`\n3. `ls -l backup`\n\nThe copy has mode 644. For private keys this is a problem.',
  ],
  [
    'Send button stays disabled after an error',
    'When sending a message fails once, the send button stays disabled until the page is reloaded.',
  ],
  ['HTML comments are rendered as text', 'A comment such as `<!-- toc -->` shows up in the page. It should be left out of the output.'],
  [
    'Rate limiter counts preflight requests',
    'OPTIONS requests count against the limit, so that browsers get half of the requests. Exclude them and add a test.',
  ],
  ['Docker image runs as root', 'The image has no `USER`. Add a user without rights, and check in CI that `id -u` is not 0.'],
]
