//! Connections: a bounded number of them, each with a time for the head of a request and for reading the answer.

use crate::impatient_stream::ImpatientStream;
use crate::service::Service;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The longest head of a request, bytes, and the most headers.
const MAX_HEAD: usize = 16 << 10;
const MAX_HEADERS: usize = 64;

/// How long nobody is let in after the system had no means for another connection.
const AFTER_FAILURE: Duration = Duration::from_millis(50);

/// Lets clients in, one connection each; never returns.
pub(crate) async fn let_in(listener: TcpListener, service: Arc<Service>) {
    let places = Arc::new(Semaphore::new(service.limits.connections));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(serve(stream, Arc::clone(&service), place))),
            Err(_) => tokio::time::sleep(AFTER_FAILURE).await,
        }
    }
}

async fn serve(stream: TcpStream, service: Arc<Service>, _place: OwnedSemaphorePermit) {
    // events are small and wanted at once; where that cannot be said they come a little later
    let _ = stream.set_nodelay(true);
    let limits = Arc::clone(&service.limits);
    let stream = TokioIo::new(ImpatientStream::new(stream, limits.write_timeout));
    let answers = service_fn(move |request| {
        let service = Arc::clone(&service);
        async move { Ok::<_, Infallible>(service.answer(request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_timeout)
        .max_header_size(MAX_HEAD)
        .max_headers(MAX_HEADERS)
        .serve_connection(stream, answers);
    // a client that breaks off or speaks something else has nobody to be told to
    let _ = connection.await;
}
