//! Bodies: of answers, whole or as a stream of events; of requests, read up to a limit of bytes and of time.

use crate::event::Event;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Interval, MissedTickBehavior, interval_at, timeout};

/// How often a silent stream says that it still lives: a comment, which clients skip.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The body of an answer.
pub(crate) enum AnswerBody {
    /// It is known.
    Whole(Bytes),
    /// It comes event by event.
    Events(EventStream),
}

/// Events of a job on their way to the client. Dropped before the last one, it cancels the job.
pub(crate) struct EventStream {
    events: mpsc::Receiver<Event>,
    pieces: VecDeque<Bytes>,
    heartbeat: Interval,
}

impl EventStream {
    pub(crate) fn new(first: Event, events: mpsc::Receiver<Event>) -> EventStream {
        let mut heartbeat = interval_at(tokio::time::Instant::now() + HEARTBEAT, HEARTBEAT);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        EventStream { events, pieces: first.frames().into(), heartbeat }
    }

    fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(piece) = self.pieces.pop_front() {
            return Poll::Ready(Some(piece));
        }
        match self.events.poll_recv(context) {
            Poll::Ready(Some(event)) => {
                self.heartbeat.reset();
                self.pieces.extend(event.frames());
                Poll::Ready(self.pieces.pop_front())
            }
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending => {
                let tick = self.heartbeat.poll_tick(context);
                tick.map(|_| Some(Bytes::from_static(b": at work\n\n")))
            }
        }
    }
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = match self.get_mut() {
            AnswerBody::Whole(bytes) if bytes.is_empty() => Poll::Ready(None),
            AnswerBody::Whole(bytes) => Poll::Ready(Some(std::mem::take(bytes))),
            AnswerBody::Events(stream) => stream.poll_piece(context),
        };
        piece.map(|piece| piece.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, AnswerBody::Whole(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            AnswerBody::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            AnswerBody::Events(_) => SizeHint::default(),
        }
    }
}

/// Why a body was not read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UnreadBody {
    /// It is longer than the limit.
    TooLong,
    /// It did not come in time.
    TooSlow,
    /// The connection broke, or the body is not as the head says.
    Broken,
}

/// How much of a body that is too long is read all the same, bytes: a client that is still sending would not hear the answer.
const DISCARDED: u64 = 64 << 20;

/// Reads the body of a request. What says that it is far too long is not read at all.
pub(crate) async fn read_body(
    mut body: Incoming,
    longest: usize,
    time: Duration,
) -> Result<Vec<u8>, UnreadBody> {
    let longest_discarded = longest as u64 + DISCARDED;
    if body.size_hint().lower() > longest_discarded {
        return Err(UnreadBody::TooLong);
    }
    let read = async {
        let mut bytes = Vec::new();
        let mut length = 0;
        while length <= longest_discarded {
            let frame = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context));
            let Some(frame) = frame.await else { break };
            let frame = frame.map_err(|_| UnreadBody::Broken)?;
            let Ok(data) = frame.into_data() else { continue };
            length += data.len() as u64;
            if length > longest as u64 {
                bytes = Vec::new();
            } else {
                bytes.extend_from_slice(&data);
            }
        }
        if length > longest as u64 { Err(UnreadBody::TooLong) } else { Ok(bytes) }
    };
    timeout(time, read).await.unwrap_or(Err(UnreadBody::TooSlow))
}
