// A session of Sabaki's GTP client (@sabaki/gtp) with an engine, told as one line of JSON.
// Arguments: the folder of the package, the program, and its arguments.

const {createRequire} = require('module')
const path = require('path')

const [folder, program, ...args] = process.argv.slice(2)
const {Controller, ControllerStateTracker} = createRequire(path.join(folder, 'index.js'))('@sabaki/gtp')

const controller = new Controller(program, args)
const tracker = new ControllerStateTracker(controller)
const told = {stderr: []}
controller.on('stderr', ({content}) => told.stderr.push(content))

const ask = async (name, ...args) => {
  const {error, content} = await controller.sendCommand({name, args: args.map(String)})
  return error ? {error: content} : content
}

// What Sabaki draws: moves with their figures, and owners as Black sees them.
// It takes everything behind "ownership" for owners, and the end of each part for the line.
function read(line, sign) {
  const [moves, owners] = line.split(/\s+ownership\s+/)
  const parts = moves.split(/(?:^|\s)info\s+/).slice(1).map(part => {
    const [figures, line, ...more] = part.trim().split(/\s+pv\s+/)
    const words = figures.split(/\s+/)
    const found = {pv: line.split(/\s+/), more: more.length}
    for (let i = 0; i < words.length; i += 2) found[words[i]] = words[i + 1]
    return found
  })
  return {parts, owners: owners && owners.trim().split(/\s+/).map(x => sign * parseFloat(x))}
}

// Analyse until some lines have come, then end it with another command, as Sabaki does.
async function analyse(command, sign, lines) {
  const seen = []
  let enough
  const isEnough = new Promise(resolve => (enough = resolve))
  const whole = controller.sendCommand(command, ({line}) => {
    if (line.startsWith('info ')) seen.push(read(line, sign))
    if (seen.length === lines) enough()
  })
  await isEnough
  const next = await controller.sendCommand({name: 'protocol_version'})
  await whole
  return {lines: seen.length, last: seen[seen.length - 1], next: next.content}
}

const play = (color, vertex) => ({name: 'play', args: [color, vertex]})

async function sync() {
  const history = [play('B', 'E5'), play('W', 'C3'), play('B', 'G3')]
  await tracker.sync({komi: 6.5, boardsize: [9, 9], history})
  const first = [await ask('list_stones', 'black'), await ask('list_stones', 'white')]
  // Another branch: one move is taken back, two are played.
  const branch = [...history.slice(0, 2), play('B', 'G7'), play('W', 'pass')]
  await tracker.sync({komi: 5.5, boardsize: [9, 9], history: branch})
  const second = [await ask('list_stones', 'black'), await ask('list_stones', 'white')]
  const handicap = [{name: 'set_free_handicap', args: ['C3', 'G7']}, play('W', 'E5')]
  await tracker.sync({komi: 0.5, boardsize: [9, 9], history: handicap})
  return {first, second, handicap: await ask('list_stones', 'black')}
}

async function game() {
  await tracker.sync({komi: 7.5, boardsize: [5, 5], history: []})
  const moves = []
  for (let turn = 0; turn < 100; turn++) {
    const move = await ask('genmove', turn % 2 ? 'W' : 'B')
    moves.push(move)
    if (move === 'resign' || moves.slice(-2).join() === 'pass,pass') break
  }
  return {moves, tracked: tracker.state.history.length, score: await ask('final_score')}
}

async function generated() {
  const lines = []
  const command = {name: 'lz-genmove_analyze', args: ['B', '5']}
  await controller.sendCommand(command, ({line}) => lines.push(line))
  const move = lines.find(line => line.startsWith('play ')).slice(5)
  const {name, args} = tracker.state.history[tracker.state.history.length - 1]
  return {move, tracked: [name, ...args], infos: lines.filter(x => x.startsWith('info ')).length}
}

async function main() {
  controller.start()
  told.name = await ask('name')
  told.unknown = await ask('no-such-command')
  told.knows = await Promise.all(
    ['undo', 'set_free_handicap', 'kata-analyze', 'lz-analyze'].map(x => tracker.knowsCommand(x))
  )
  told.sync = await sync()
  await tracker.sync({komi: 6.5, boardsize: [9, 9], history: [play('B', 'E5')]})
  told.kata = await analyse({name: 'kata-analyze', args: ['W', '5', 'ownership', 'true']}, -1, 3)
  told.leela = await analyse({name: 'lz-analyze', args: ['W', '5']}, -1, 3)
  told.generated = await generated()
  told.game = await game()
  controller.on('stopped', () => (told.stopped = true))
  await controller.stop(5000)
  console.log(JSON.stringify(told))
}

main().catch(error => {
  console.error(error)
  controller.kill()
  process.exitCode = 1
})
