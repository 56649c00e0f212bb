//! Why the archive could not do what it was asked.

/// Why the archive could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The store refused or could not be reached. It may help to try again.
    #[error("the archive could not {doing} `{what}`: {why}")]
    Store {
        /// What it was asked, as a verb.
        doing: &'static str,
        /// The object.
        what: String,
        /// What the store said.
        why: String,
    },
    /// There is no such object.
    #[error("`{what}` is not in the archive\nhint: is `{archive}` the archive that the run was put in?")]
    Missing {
        /// The object.
        what: String,
        /// The archive.
        archive: String,
    },
    /// Something else stands there already.
    #[error("`{what}` is in the archive already, and holds something else\nhint: {hint}")]
    Taken {
        /// The object.
        what: String,
        /// What to do.
        hint: &'static str,
    },
    /// An address that is no archive's.
    #[error(
        "`{url}` cannot be an archive: {why}\nhint: a directory, or s3://bucket/prefix with AWS_ACCESS_KEY_ID, \
         AWS_SECRET_ACCESS_KEY and, besides Amazon, AWS_ENDPOINT_URL"
    )]
    NoArchive {
        /// The address.
        url: String,
        /// Why not.
        why: String,
    },
    /// A directory that does not exist.
    #[error(
        "the archive `{url}` does not exist\nhint: is it written right (--store, QUINTAIN_STORE), and is its disk there? a new \
         fleet's first `quintain run` makes it, or make the folder yourself"
    )]
    Absent {
        /// The address.
        url: String,
    },
    /// The store does not know what "only if it is not there yet" means.
    #[error(
        "`{url}` writes over objects that are there though it was told not to: results could be lost\nhint: use a server \
         that honours `If-None-Match: *`, such as Amazon S3, Cloudflare R2, MinIO or SeaweedFS"
    )]
    Overwrites {
        /// The archive.
        url: String,
    },
    /// A name that cannot be part of a path.
    #[error("`{name}` cannot name {what} in an archive\nhint: letters, digits and `-_.+~@=`, and no dot in front")]
    BadName {
        /// What was to be named.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// The store has no signatures.
    #[error(
        "`{url}` cannot sign addresses: it is a directory\nhint: give each worker the directory itself (`--store`), or \
         use an S3-compatible server"
    )]
    CannotSign {
        /// The archive.
        url: String,
    },
    /// A signed address did not do.
    #[error("cannot {doing} at the address that was given for `{what}`: {why}")]
    Address {
        /// What was tried.
        doing: &'static str,
        /// The path of the address, without its signature.
        what: String,
        /// What came of it.
        why: String,
    },
    /// An object that does not hold what it should.
    #[error("`{what}` in the archive cannot be read: {why}")]
    Unreadable {
        /// The object.
        what: String,
        /// What is wrong.
        why: String,
    },
}

impl ArchiveError {
    /// Gives a reading error its object, for `map_err`.
    pub(super) fn unreadable<E: std::fmt::Display>(what: &str) -> impl FnOnce(E) -> Self {
        move |why| Self::Unreadable { what: what.to_owned(), why: why.to_string() }
    }

    /// Whether one object is damaged or gone, and the others may be whole.
    pub(super) fn is_of_one_object(&self) -> bool {
        matches!(self, Self::Missing { .. } | Self::Unreadable { .. })
    }

    /// Whether the same call may do another time.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Store { .. })
    }
}
