// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {IDepositPool} from "../lib/PoolInterfaces.sol";
import {Signatures} from "../lib/Signatures.sol";
import {PoolExits} from "./PoolExits.sol";

/// @notice Loans against pledged shares of the deposit pool, up to what its operator attests as vested.
abstract contract CreditLoans is PoolExits {
    enum LoanStatus {
        None,
        Active,
        Repaid,
        Seized
    }

    struct Loan {
        address borrower;
        uint256 principal;
        uint256 outstandingPrincipal;
        uint256 outstandingInterest;
        uint256 pledgeShares;
        uint256 vestedRawAtOrigination;
        uint16 interestBpsAtOrigination;
        LoanStatus status;
    }

    event LoanOriginated(
        bytes32 indexed loanId, address indexed borrower, uint256 amount, uint256 pledgedShares
    );
    event LoanRepaid(bytes32 indexed loanId, uint256 amount, uint256 outstanding);
    event LoanClosed(bytes32 indexed loanId);
    event PledgeSeized(bytes32 indexed loanId, uint256 value);
    event LtvBpsChanged(uint256 previousBps, uint256 newBps);
    event InterestBpsChanged(uint256 previousBps, uint256 newBps);

    error InvalidDepositPool();
    error InvalidPledge();
    error InvalidSchedule();
    error InvalidVestingAttestation();
    error VestingAttestationExpired(uint64 validUntil);
    error LoanAlreadyExists();
    error LoanNotActive();
    error LoanLimitExceeded(uint256 requested, uint256 maximum);
    error RepaymentExceedsOutstanding(uint256 attempted, uint256 outstanding);
    error CollateralNotImpaired(uint256 collateralValue, uint256 impairmentThreshold);

    uint256 public constant MAX_LTV_BPS = 9_000;
    uint256 public constant MAX_INTEREST_BPS = 2_000;
    uint256 public constant IMPAIRMENT_NUMERATOR = 105;
    uint256 public constant IMPAIRMENT_DENOMINATOR = 100;
    bytes32 public constant VESTING_ATTESTATION_TYPEHASH = keccak256(
        "VestingAttestation(address borrower,bytes32 loanId,uint256 pledgeShares,uint256 amount,uint256 vestedRaw,uint64 validUntil,uint256 nonce,uint256 chainId,address creditPool)"
    );

    address public immutable depositPool;
    uint256 public ltvBps = 8_000;
    uint256 public interestBps;
    /// @notice Principal of all active loans; interest counts only when it is paid.
    uint256 public principalOutstanding;
    uint256 public totalPledgedShares;
    uint256 public defaults;
    mapping(bytes32 loanId => Loan) public loans;
    mapping(address borrower => uint256) public outstandingDebt;
    mapping(address borrower => uint256) public nextLoanNonce;
    mapping(address borrower => uint256) public vestingAttestationNonces;

    constructor(address depositPool_) {
        if (depositPool_.code.length == 0 || IDepositPool(depositPool_).asset() != asset) revert InvalidDepositPool();
        depositPool = depositPool_;
    }

    /// @notice Lends to the caller against shares that it pledged for this loan.
    function originate(
        uint256 pledgeShares,
        uint256 amount,
        uint256 vestedRaw,
        uint64 validUntil,
        bytes calldata vestingSignature
    ) external nonReentrant returns (bytes32 loanId) {
        if (pledgeShares == 0) revert ZeroShares();
        if (amount == 0) revert ZeroAmount();
        loanId = previewLoanId(msg.sender);
        if (loans[loanId].status != LoanStatus.None) revert LoanAlreadyExists();
        if (_activePledge(loanId) != pledgeShares) revert InvalidPledge();
        _requireAttested(loanId, pledgeShares, amount, vestedRaw, validUntil, vestingSignature);
        uint256 maximum = _maximum(msg.sender, vestedRaw);
        if (amount > maximum) revert LoanLimitExceeded(amount, maximum);
        _requireBuffer(amount);
        _open(loanId, pledgeShares, amount, vestedRaw);
        _push(asset, msg.sender, amount);
        emit LoanOriginated(loanId, msg.sender, amount, pledgeShares);
    }

    /// @notice Releases a pledge without a loan. The deposit pool keeps its record and the loan nonce does not
    ///         move, so the wallet can never pledge, and never borrow, again.
    function cancelUnusedPledge(bytes32 loanId) external {
        if (loans[loanId].status != LoanStatus.None) revert LoanAlreadyExists();
        if (_activePledge(loanId) == 0) revert InvalidPledge();
        IDepositPool(depositPool).release(loanId);
    }

    /// @notice Pays a loan back, interest first; anyone may pay. The last payment releases the pledge.
    function repay(bytes32 loanId, uint256 amount) external nonReentrant {
        Loan storage loan = loans[loanId];
        if (loan.status != LoanStatus.Active) revert LoanNotActive();
        if (amount == 0) revert ZeroAmount();
        uint256 outstanding = loan.outstandingPrincipal + loan.outstandingInterest;
        if (amount > outstanding) revert RepaymentExceedsOutstanding(amount, outstanding);
        uint256 interest = amount < loan.outstandingInterest ? amount : loan.outstandingInterest;
        _reduce(loan, amount - interest, interest);
        bool isPaid = amount == outstanding;
        if (isPaid) _end(loan, LoanStatus.Repaid);
        _pullExactly(amount);
        emit LoanRepaid(loanId, amount, outstanding - amount);
        if (!isPaid) return;
        IDepositPool(depositPool).release(loanId);
        emit LoanClosed(loanId);
    }

    /// @notice Takes the pledge of a loan that it no longer covers; anyone may call, nothing goes to the borrower.
    function seize(bytes32 loanId) external nonReentrant returns (uint256 value) {
        Loan storage loan = loans[loanId];
        if (loan.status != LoanStatus.Active) revert LoanNotActive();
        uint256 collateral = IDepositPool(depositPool).convertToAssets(loan.pledgeShares);
        uint256 debt = loan.outstandingPrincipal + loan.outstandingInterest;
        uint256 threshold = debt * IMPAIRMENT_NUMERATOR / IMPAIRMENT_DENOMINATOR;
        if (collateral >= threshold) revert CollateralNotImpaired(collateral, threshold);
        _reduce(loan, loan.outstandingPrincipal, loan.outstandingInterest);
        _end(loan, LoanStatus.Seized);
        defaults++;
        value = IDepositPool(depositPool).seize(loanId, address(this));
        emit PledgeSeized(loanId, value);
        emit LoanClosed(loanId);
    }

    /// @notice Sets what part of a pledge new loans may reach.
    function setLtvBps(uint256 newBps) external onlyOperator {
        if (newBps == 0 || newBps > MAX_LTV_BPS) revert InvalidSchedule();
        emit LtvBpsChanged(ltvBps, newBps);
        ltvBps = newBps;
    }

    /// @notice Sets the fixed interest of new loans.
    function setInterestBps(uint256 newBps) external onlyOperator {
        if (newBps > MAX_INTEREST_BPS) revert InvalidSchedule();
        emit InterestBpsChanged(interestBps, newBps);
        interestBps = newBps;
    }

    /// @notice The digest that the operator signs: the payload in the personal-message form, so never wrap it again.
    function vestingAttestationDigest(
        address borrower,
        bytes32 loanId,
        uint256 pledgeShares,
        uint256 amount,
        uint256 vestedRaw,
        uint64 validUntil,
        uint256 nonce
    ) public view returns (bytes32) {
        bytes memory first = abi.encode(VESTING_ATTESTATION_TYPEHASH, borrower, loanId, pledgeShares, amount);
        bytes memory second = abi.encode(vestedRaw, validUntil, nonce, block.chainid, address(this));
        bytes32 payload = keccak256(bytes.concat(first, second));
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", payload));
    }

    /// @notice The id of a wallet's next loan.
    function previewLoanId(address borrower) public view returns (bytes32) {
        return keccak256(abi.encodePacked(block.chainid, address(this), borrower, nextLoanNonce[borrower]));
    }

    /// @notice Tokens in the pool and principal that is lent.
    function totalAssets() public view override returns (uint256) {
        return bufferAssets() + principalOutstanding;
    }

    /// @dev Shares of the caller's active pledge; 0 without one.
    function _activePledge(bytes32 loanId) private view returns (uint256) {
        (address owner, uint256 shares, bool active) = IDepositPool(depositPool).pledges(loanId);
        return active && owner == msg.sender ? shares : 0;
    }

    function _requireAttested(
        bytes32 loanId,
        uint256 pledgeShares,
        uint256 amount,
        uint256 vestedRaw,
        uint64 validUntil,
        bytes calldata signature
    ) private view {
        if (block.timestamp > validUntil) revert VestingAttestationExpired(validUntil);
        uint256 nonce = vestingAttestationNonces[msg.sender];
        bytes32 digest =
            vestingAttestationDigest(msg.sender, loanId, pledgeShares, amount, vestedRaw, validUntil, nonce);
        if (Signatures.recover(digest, signature) != operator) revert InvalidVestingAttestation();
    }

    /// @dev What a wallet may still borrow: part of the lower of pledge and vested amount, minus its whole debt.
    function _maximum(address borrower, uint256 vestedRaw) private view returns (uint256) {
        IDepositPool pool = IDepositPool(depositPool);
        uint256 pledged = pool.convertToAssets(pool.pledgedShares(borrower));
        uint256 limit = (pledged < vestedRaw ? pledged : vestedRaw) * ltvBps / 10_000;
        uint256 debt = outstandingDebt[borrower];
        return limit > debt ? limit - debt : 0;
    }

    function _open(bytes32 loanId, uint256 pledgeShares, uint256 amount, uint256 vestedRaw) private {
        uint256 interest = amount * interestBps / 10_000;
        loans[loanId] = Loan(
            msg.sender, amount, amount, interest, pledgeShares, vestedRaw, uint16(interestBps), LoanStatus.Active
        );
        nextLoanNonce[msg.sender]++;
        vestingAttestationNonces[msg.sender]++;
        principalOutstanding += amount;
        outstandingDebt[msg.sender] += amount + interest;
        totalPledgedShares += pledgeShares;
    }

    function _reduce(Loan storage loan, uint256 principal, uint256 interest) private {
        loan.outstandingPrincipal -= principal;
        loan.outstandingInterest -= interest;
        principalOutstanding -= principal;
        outstandingDebt[loan.borrower] -= principal + interest;
    }

    function _end(Loan storage loan, LoanStatus status) private {
        loan.status = status;
        totalPledgedShares -= loan.pledgeShares;
    }
}
