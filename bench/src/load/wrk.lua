-- Sends the requests of a file, byte for byte: for each a line with its length, then the bytes.
-- Arguments: the file, and `cycle` (all are in memory, from the first again after the last) or `once`.
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  mode = args[2]
  file = assert(io.open(args[1], 'rb'))
  requests = {}
  position = 0
  exhausted = 0
  if mode == 'cycle' then
    local request = read_one()
    while request do
      table.insert(requests, request)
      request = read_one()
    end
  end
end

function read_one()
  local length = file:read('*l')
  return length and file:read(tonumber(length))
end

function request()
  if mode == 'cycle' then
    position = position % #requests + 1
    return requests[position]
  end
  local next_one = read_one()
  if not next_one then
    exhausted = 1
    wrk.thread:stop()
    return last
  end
  last = next_one
  return next_one
end

function done(summary, latency)
  local ran_out = 0
  for _, thread in ipairs(threads) do
    ran_out = ran_out + thread:get('exhausted')
  end
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"duration_us":%d,"p50_us":%d,"p99_us":%d,"wrong_status":%d,"broken":%d,"ran_out":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout, ran_out))
end
